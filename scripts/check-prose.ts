/**
 * Whether documents, comments, messages and test titles are free of the words in scripts/prose/terms.ts.
 * `node scripts/check-prose.ts console docs` reads only what is below those folders.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintProse } from './prose/lint-prose.ts';

const root = join(import.meta.dirname, '..');
const folders = process.argv.slice(2);
/** The word list and the planted terms of its test; applied migrations and written fixtures never change. */
const exempt =
  /^(scripts\/prose\/|scripts\/check-prose\.test\.ts$|server\/platform\/database\/migrations\/)|\/fixtures\//;
const least = 1_000;

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
    '*.css',
    '*.md',
  ],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
);
const files = listed
  .split('\0')
  .filter((file) => file !== '' && !exempt.test(file) && existsSync(join(root, file)))
  .filter(
    (file) =>
      folders.length === 0 ||
      folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
  );

let problems = 0;
for (const file of files) {
  for (const { line, message } of await lintProse(file, readFileSync(join(root, file), 'utf8'))) {
    process.stdout.write(`${file}:${line}: ${message}\n`);
    problems += 1;
  }
}
// A checker that reads nothing is green too.
if (folders.length === 0 && files.length < least) {
  process.stdout.write(`Only ${files.length} files were found; the check itself must be broken\n`);
  problems += 1;
}
process.stdout.write(`prose: ${files.length} files read, ${problems} complaints\n`);
process.exit(problems > 0 ? 1 : 0);
