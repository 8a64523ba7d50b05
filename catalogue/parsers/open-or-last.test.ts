import { expect, test } from 'vitest';
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';
import { documentFrom } from '../testing/document-from.ts';
import { listDocument } from './list-document.ts';
import { openOrLast } from './open-documents.ts';

const url = 'https://example.org/1';
const document = documentFrom(url, 'one');

function createPublication(
  open: (url: string, options?: OpenOptions) => Promise<Document>,
  last: readonly Document[] = [],
): Publication {
  return {
    open,
    openList: async (list) => listDocument(list, []),
    known: async () => new Set(),
    readLast: async () => last,
    lastCompleteReadAt: null,
    now: () => 0,
  };
}

async function absent(): Promise<Document> {
  throw new NotPublished(url);
}

test('requests the document with its last copy in reserve', async () => {
  let requested: OpenOptions | undefined;
  const publication = createPublication(async (_, options) => {
    requested = options;
    return document;
  });
  expect(await openOrLast(publication, url)).toEqual([document]);
  expect(requested).toEqual({ lastGoodCopy: true });
});

test('returns the last copy when the document is no longer published', async () => {
  expect(await openOrLast(createPublication(absent), url)).toEqual([]);
  expect(
    await openOrLast(
      createPublication(absent, [documentFrom('https://example.org/2', 'other'), document]),
      url,
    ),
  ).toEqual([document]);
});

test('throws on any other failure', async () => {
  const publication = createPublication(async () => {
    throw new Error('broken');
  }, [document]);
  await expect(openOrLast(publication, url)).rejects.toThrow('broken');
});
