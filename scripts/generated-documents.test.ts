import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generatedDocuments, repositoryRoot, staleDocuments } from './generated-documents.ts';

const files = (documents: readonly { readonly file: string }[]) =>
  documents.map(({ file }) => file);

test('every generated document is up to date: else run npm run docs', async () => {
  expect(files(await staleDocuments())).toEqual([]);
});

test('a document that is missing or differs from the code is stale', async () => {
  const root = mkdtempSync(join(tmpdir(), 'documents-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [first, ...others] = generatedDocuments;
  mkdirSync(dirname(join(root, first?.file ?? '')), { recursive: true });
  writeFileSync(join(root, first?.file ?? ''), `${await first?.text()}`);
  expect(files(await staleDocuments(root))).toEqual(files(others));
  writeFileSync(join(root, first?.file ?? ''), `${await first?.text()} `);
  expect(files(await staleDocuments(root))).toEqual(files(generatedDocuments));
});

test('every file that the architecture page names is there', () => {
  const page = readFileSync(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8');
  const named = [
    ...page.matchAll(/`((?:catalogue|contract|server|console|client)\/[^`]+\.tsx?)`/g),
  ];
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(([, file = '']) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});
