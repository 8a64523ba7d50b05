/**
 * Checks what documents say of the code: rows of coverage.md and security.md name tests that run, paths in architecture.md exist, access.md
 * is what the contract says, sources.md has every source. `npm run docs` (`--write`) writes access.md.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { accessTable } from './access-table.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const complaints: string[] = [];

/** True when `npm test` runs a test of this title. `…` and `%s` in a title stand as they do in the file. */
function runs(file: string, title: string): boolean {
  if (!/\.(test\.tsx?|e2e\.ts)$/.test(file) || !existsSync(join(root, file))) return false;
  const escaped = title
    .split('…')
    .map((text) =>
      text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", "\\\\?'"),
    );
  const call = String.raw`(?<!\.(?:skip|todo))\(\s*(['"\x60])${escaped.join('(?:…|\\$\\{[^}]*\\})')}\1`;
  return new RegExp(call).test(read(file).replace(/^\s*\/\/.*$/gm, ''));
}

/** A row is `| 2.14 | behaviour | file › title<br>file › title |`; `\|` is a bar inside a cell. */
function checkRows(document: string, leastRows: number): void {
  const rows = read(document)
    .split('\n')
    .filter((line) => /^\| *\d+\.\d+ *\|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));
  if (rows.length < leastRows) complaints.push(`${document} has ${rows.length} rows only`);
  for (const [, id, , tests = ''] of rows)
    for (const test of tests.split('<br>')) {
      const [file = '', title = ''] = test.split(' › ');
      if (!runs(file, title))
        complaints.push(`${document} ${id}: npm test runs no ${test || 'test'}`);
    }
}

checkRows('docs/coverage.md', 200);
checkRows('docs/security.md', 25);

const paths = read('docs/architecture.md').matchAll(/`((?:\w+\/)+[\w./-]*)`/g);
for (const [, path = ''] of paths)
  if (!existsSync(join(root, path))) complaints.push(`docs/architecture.md names ${path}`);

const sources = read('docs/sources.md');
for (const key of vendorSourceKeys)
  if (!sources.includes(`| \`${key}\` |`))
    complaints.push(`docs/sources.md has no line of the source ${key}`);

const access = accessTable(endpoints);
if (process.argv.includes('--write')) writeFileSync(join(root, 'docs/access.md'), access);
else if (read('docs/access.md') !== access)
  complaints.push('docs/access.md is stale: run npm run docs');

for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.exit(complaints.length > 0 ? 1 : 0);
