import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { AnyPart, Publication } from '@patch/catalogue/definition/feed.ts';
import { expect, test } from 'vitest';
import { testParts } from './mirror-test.ts';
import type { Upstream } from './upstream.ts';

/** Has one document. */
const upstream = {
  origin: 'mirror',
  async request(url) {
    if (url !== 'https://small.example/last-month.json') return { kind: 'absent' };
    const body = (async function* () {
      yield Buffer.from('[1]');
    })();
    return { kind: 'body', body, length: 3, etag: null, lastModified: null };
  },
  close() {},
} as Upstream;

const part = {
  contents: async (publication: Publication) => {
    try {
      await publication.open('https://small.example/this-month.json');
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
      await publication.open('https://small.example/last-month.json');
    }
  },
} as unknown as AnyPart;

test('goes on as a sync does where a part has a document that is not published yet', async () => {
  expect(await testParts(upstream, [part], 1000)).toMatchObject({
    url: 'https://small.example/last-month.json',
    problem: null,
    format: 'JSON',
  });
});
