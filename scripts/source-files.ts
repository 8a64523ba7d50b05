/** The source files that git knows of or would take, relative to the root: what the checkers must at least have read. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export function sourceFiles(): readonly string[] {
  const listed = execFileSync(
    'git',
    [
      'ls-files',
      '--cached',
      '--others',
      '--exclude-standard',
      '-z',
      '--',
      '*.ts',
      '*.tsx',
      '*.mjs',
    ],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return listed
    .split('\0')
    .filter((file) => file !== '' && !file.includes('/fixtures/') && existsSync(join(root, file)))
    .sort();
}
