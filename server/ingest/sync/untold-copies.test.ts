import type { PartManifest } from '@patch/catalogue/definition/feed.ts';
import { documentFrom } from '@patch/catalogue/testing/document-from.ts';
import { expect, test } from 'vitest';
import { untoldCopies } from './untold-copies.ts';

const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://example.org/${name}`);
const [a = '', b = ''] = addresses;
const contents: PartManifest = {
  documents: addresses.map((url) => documentFrom(url, '')),
  whole: true,
};

test('says nothing of documents that are published', () => {
  expect(untoldCopies(contents, new Set(['https://example.org/never-had']))).toEqual([]);
});

test('names a document that is gone', () => {
  expect(untoldCopies(contents, new Set([a]))).toEqual([a]);
});

test('leaves out what the part tells of itself', () => {
  const absent = new Set([a, b]);
  expect(
    untoldCopies(
      {
        ...contents,
        standIn: [{ code: 'named_copy_read', params: { url: a } }],
        remarks: [{ kind: 'remark', remark: 'Its last copy is read', copies: [b] }],
      },
      absent,
    ),
  ).toEqual([]);
});
