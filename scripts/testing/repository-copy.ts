/** A copy of this repository to follow a how-to in: everything that git knows or would take, with the packages of this one. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const original = join(import.meta.dirname, '..', '..');
const workspaces = ['catalogue', 'contract', 'server', 'console', 'client'];

export interface Outcome {
  readonly status: number | null;
  /** What went to both outputs. */
  readonly output: string;
}

export class RepositoryCopy {
  readonly root: string;

  constructor() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')));
    this.root = join(folder, 'copy');
    for (const file of filesOfGit()) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true });
      cpSync(join(original, file), join(this.root, file));
    }
    this.#linkPackages();
    // Tests look for the feed mirror beside the repository.
    const shared = join(original, '..', 'shared');
    if (existsSync(shared)) symlinkSync(realpathSync(shared), join(folder, 'shared'));
    this.shell('git init --quiet . && git add --all .');
  }

  #linkPackages(): void {
    const packages = join(this.root, 'node_modules');
    mkdirSync(join(packages, '@patch'), { recursive: true });
    for (const name of readdirSync(join(original, 'node_modules'))) {
      // What tools remember stays apart: whatever they write in the copy would be written here.
      if (name !== '@patch' && (!name.startsWith('.') || name === '.bin'))
        symlinkSync(join(original, 'node_modules', name), join(packages, name));
    }
    writeFileSync(join(packages, '.installed-lock'), this.#lockStamp());
    for (const name of workspaces)
      symlinkSync(join(this.root, name), join(packages, '@patch', name));
  }

  /** As scripts/prepare.mjs makes it: the copy installs no packages of its own, which would be written through the links. */
  #lockStamp(): string {
    const hash = createHash('sha256').update(readFileSync(this.path('package-lock.json')));
    return hash.update(process.platform).update(process.arch).digest('hex');
  }

  path(file: string): string {
    return join(this.root, file);
  }

  /** One line as a person types it into a plain shell: with the machine's own Node, not the pinned one. */
  shell(line: string): Outcome {
    return outcome(
      spawnSync('sh', ['-c', line], {
        cwd: this.root,
        encoding: 'utf8',
        env: plainEnvironment(),
        maxBuffer: 256 * 1024 * 1024,
      }),
    );
  }

  /** A program of the repository, under the Node that runs this one. */
  node(...args: readonly string[]): Outcome {
    const env = { ...process.env, NO_COLOR: '1' };
    return outcome(
      spawnSync(process.execPath, args, {
        cwd: this.root,
        encoding: 'utf8',
        env,
        maxBuffer: 256 * 1024 * 1024,
      }),
    );
  }

  vitest(...args: readonly string[]): Outcome {
    return this.node('node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...args);
  }

  remove(): void {
    rmSync(dirname(this.root), { recursive: true, force: true });
  }
}

function filesOfGit(): readonly string[] {
  const { stdout } = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    {
      cwd: original,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout
    .split('\0')
    .filter(
      (file) =>
        file !== '' && !file.startsWith('docs/screens/') && existsSync(join(original, file)),
    );
}

/** Without what npm and this program put before the machine's own programs. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'));
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|NODE_OPTIONS$|TEST$|MODE$|DEV$|PROD$|SSR$)/.test(name),
  );
  return { ...Object.fromEntries(own), PATH: path.join(':'), NO_COLOR: '1' };
}

function outcome({
  status,
  stdout,
  stderr,
}: {
  status: number | null;
  stdout: string;
  stderr: string;
}): Outcome {
  return { status, output: stdout + stderr };
}

/** What a program said that failed; empty for one that succeeded. */
export function complaintOf({ status, output }: Outcome): string {
  return status === 0 ? '' : `exit code ${status}\n${output}`;
}

/** The lines of a how-to's shell blocks, in their order. */
export function shellLines(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].flatMap(
    ([, indent = '', block = '']) =>
      block
        .split('\n')
        .map((line) => line.slice(indent.length))
        .filter((line) => line.trim() !== ''),
  );
}
