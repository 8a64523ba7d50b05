import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countedVendors } from './counted-vendors.ts';
import { repositoryRoot } from './generated-documents.ts';
import { sourceFiles } from './source-files.ts';

const itself = 'scripts/counted-vendors.test.ts';

test('no prose of this repository counts lists, sources or vendors', () => {
  const markdown = execFileSync('git', ['ls-files', '-z', '--', '*.md'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  }).split('\0');
  const files = [...sourceFiles(), ...markdown].filter((file) => file !== '' && file !== itself);
  expect(files).toContain('README.md');
  expect(countedVendors(repositoryRoot, files)).toEqual([]);
});

test('a count is found in words and in digits, a small one is an example', () => {
  const root = mkdtempSync(join(tmpdir(), 'counts-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(
    join(root, 'a.md'),
    'It has\nall Eleven sources and 15 searchable lists.\nHere 2 sources differ in 12 ways.\n',
  );
  expect(countedVendors(root, ['a.md'])).toEqual([
    'a.md:2: Eleven sources',
    'a.md:2: 15 searchable lists',
  ]);
});
