/** A copy of this repository in a temporary folder: everything that git knows or would take, with the packages of this one. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const original = join(import.meta.dirname, '..');
const options = { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const;

export class RepositoryCopy {
  readonly root: string;

  constructor() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')));
    this.root = join(folder, 'copy');
    const { stdout } = spawnSync(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ':!docs/screens'],
      { ...options, cwd: original },
    );
    for (const file of stdout.split('\0'))
      if (file !== '' && existsSync(join(original, file)))
        cpSync(join(original, file), this.path(file));
    const packages = join(original, 'node_modules');
    mkdirSync(this.path('node_modules'));
    // The links to the workspaces lead into the copy; caches of tools stay apart.
    for (const name of readdirSync(packages))
      if (name === '@patch' || name === '.installed-lock')
        cpSync(join(packages, name), this.path(`node_modules/${name}`), {
          recursive: true,
          verbatimSymlinks: true,
        });
      else if (!name.startsWith('.') || name === '.bin')
        symlinkSync(join(packages, name), this.path(`node_modules/${name}`));
    const shared = join(original, '..', 'shared');
    if (existsSync(shared)) symlinkSync(realpathSync(shared), join(folder, 'shared'));
    // Checks ask git for the files.
    this.shell('git init --quiet . && git add --all .');
  }

  path(file: string): string {
    return join(this.root, file);
  }

  /** Runs a line in a plain shell with this Node and the tools on the path. Returns both outputs with the exit code, or '' on success. */
  shell(line: string): string {
    const outer = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|VITEST|NODE_OPTIONS$|TEST$|MODE$|DEV$|PROD$|SSR$)/.test(name),
    );
    const path = [
      dirname(process.execPath),
      this.path('node_modules/.bin'),
      process.env['PATH'],
    ].join(':');
    const env = { ...Object.fromEntries(outer), PATH: path, NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
      ...options,
      cwd: this.root,
      env,
    });
    return status === 0 ? '' : `exit code ${status}\n${stdout}${stderr}`;
  }

  remove(): void {
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}
