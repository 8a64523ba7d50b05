import type { PartManifest } from '@patch/catalogue/definition/feed.ts';
import { documentFrom } from '@patch/catalogue/testing/document-from.ts';
import { expect, test } from 'vitest';
import { findUnreportedCopies } from '../parts/standing-remarks.ts';

const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://example.org/${name}`);
const [a = '', b = ''] = addresses;
const contents: PartManifest = {
  documents: addresses.map((url) => documentFrom(url, '')),
  isComplete: true,
};

test('ignores documents that are published', () => {
  expect(findUnreportedCopies(contents, new Set(['https://example.org/never-had']))).toEqual([]);
});

test('returns a missing document', () => {
  expect(findUnreportedCopies(contents, new Set([a]))).toEqual([a]);
});

test('omits documents that the part itself remarks on', () => {
  const absent = new Set([a, b]);
  expect(
    findUnreportedCopies(
      {
        ...contents,
        standIn: [{ code: 'named_copy_read', params: { url: a } }],
        remarks: [{ kind: 'remark', remark: 'Its last copy is read', copies: [b] }],
      },
      absent,
    ),
  ).toEqual([]);
});
