import { expect, test } from 'vitest';
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';
import { documentFrom } from '../testing/document-from.ts';
import { listDocument } from './list-document.ts';
import { openOrLast } from './open-or-last.ts';

const url = 'https://example.org/1';
const document = documentFrom(url, 'one');

function publicationOf(
  open: (url: string, options?: OpenOptions) => Promise<Document>,
  last: readonly Document[] = [],
): Publication {
  return {
    open,
    openList: async (list) => listDocument(list, []),
    known: async () => new Set(),
    readLast: async () => last,
    readWholeAt: null,
    now: () => 0,
  };
}

async function absent(): Promise<Document> {
  throw new NotPublished(url);
}

test('it is asked for, with its last copy in reserve', async () => {
  let asked: OpenOptions | undefined;
  const publication = publicationOf(async (_, options) => {
    asked = options;
    return document;
  });
  expect(await openOrLast(publication, url)).toEqual([document]);
  expect(asked).toEqual({ lastGoodCopy: true });
});

test('once read it is not given up because it is gone', async () => {
  expect(await openOrLast(publicationOf(absent), url)).toEqual([]);
  expect(
    await openOrLast(
      publicationOf(absent, [documentFrom('https://example.org/2', 'other'), document]),
      url,
    ),
  ).toEqual([document]);
});

test('any other failure is one', async () => {
  const publication = publicationOf(async () => {
    throw new Error('broken');
  }, [document]);
  await expect(openOrLast(publication, url)).rejects.toThrow('broken');
});
