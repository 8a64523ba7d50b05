import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generatedDocuments, staleDocuments } from './generated-documents.ts';

const files = (documents: readonly { readonly file: string }[]) =>
  documents.map(({ file }) => file);

test('every generated document is up to date: else run npm run docs', () => {
  expect(files(staleDocuments())).toEqual([]);
});

test('a document that is missing or differs from the code is stale', () => {
  const root = mkdtempSync(join(tmpdir(), 'documents-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [first, ...others] = generatedDocuments;
  mkdirSync(dirname(join(root, first?.file ?? '')), { recursive: true });
  writeFileSync(join(root, first?.file ?? ''), `${first?.text()}`);
  expect(files(staleDocuments(root))).toEqual(files(others));
  writeFileSync(join(root, first?.file ?? ''), `${first?.text()} `);
  expect(files(staleDocuments(root))).toEqual(files(generatedDocuments));
});
