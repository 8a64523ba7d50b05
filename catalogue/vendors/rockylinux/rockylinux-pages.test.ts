import { expect, test } from 'vitest';
import type { Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { listDocument } from '../../parsers/list-document.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { advisoryPages } from './rockylinux-pages.ts';

const advisory = (number: number) => ({
  id: number,
  name: `RLSA-2031:${number}`,
  affected_products: [{ major_version: 8 }, { major_version: 9 }],
});
/** Newest first. */
const downFrom = (newest: number, count: number) =>
  Array.from({ length: count }, (_, place) => advisory(newest - place));

/** An API over advisories that may change while it is asked; `opened` are the pages asked for. */
function apiOf(
  published: (request: number) => readonly unknown[],
  total: (published: number) => number | null = (count) => count,
) {
  const opened: (string | null)[] = [];
  const publication: Publication = {
    async open(url) {
      const { searchParams } = new URL(url);
      const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))];
      const present = published(opened.length);
      opened.push(searchParams.get('page'));
      const advisories = present.slice((page - 1) * size, page * size);
      // As they are at times: of another page size, with a next page that is none.
      const links = {
        next: '/api/v3/advisories/?size=1&&page=1',
        last: '/api/v3/advisories/?size=100&page=1',
      };
      return documentFrom(
        url,
        JSON.stringify({ advisories, total: total(present.length), page, size, links }),
      );
    },
    openList: async (list) => listDocument(list, []),
    known: async (_list, keys) => new Set(keys),
    readLast: async () => [],
    readWholeAt: Date.now() - 1000,
    now: Date.now,
  };
  return { publication, opened };
}

test('the pages are read until as many advisories are met as are counted, also when all are known', async () => {
  const { publication, opened } = apiOf(() => downFrom(250, 250));
  const { documents, whole } = await advisoryPages(publication);
  expect(whole).toBe(true);
  expect(opened).toEqual(['1', '2', '3']);
  expect(documents.map(({ url }) => url)).toContain(
    'https://apollo.build.resf.org/api/v3/advisories/?page=3&size=100',
  );
});

test('without a count they are walked to an empty page', async () => {
  const { publication, opened } = apiOf(
    () => downFrom(200, 200),
    () => null,
  );
  expect((await advisoryPages(publication)).whole).toBe(true);
  expect(opened).toEqual(['1', '2', '3']);
});

test('a page whose records cannot be read does not end the walk, and they count among those that were met', async () => {
  const unreadable = Array.from({ length: 100 }, () => ({ name: null }));
  const { publication, opened } = apiOf(() => [...unreadable, ...downFrom(150, 150)]);
  await advisoryPages(publication);
  expect(opened).toEqual(['1', '2', '3']);
  expect((await advisoryPages(apiOf(() => [null, {}, advisory(1)]).publication)).whole).toBe(true);
});

test('an advisory published or taken back while paging: nothing is withdrawn for it', async () => {
  const published = downFrom(250, 250);
  for (const later of [downFrom(251, 251), published.slice(1)]) {
    const { publication } = apiOf((request) => (request < 1 ? published : later));
    expect((await advisoryPages(publication)).whole).toBe(false);
  }
});

test('an order that changes between two pages hides some: nothing is withdrawn for it', async () => {
  const published = downFrom(150, 150);
  const { publication } = apiOf((request) => (request < 1 ? published : published.toReversed()));
  expect((await advisoryPages(publication)).whole).toBe(false);
});

test('a short read is never whole', async () => {
  const { publication, opened } = apiOf(
    (request) => (request < 1 ? downFrom(250, 250) : []),
    () => 250,
  );
  expect((await advisoryPages(publication)).whole).toBe(false);
  expect(opened).toEqual(['1', '2']);
});

test('no advisories at all are an answer', async () => {
  const { publication, opened } = apiOf(() => []);
  expect(await advisoryPages(publication)).toMatchObject({ documents: [{}], whole: true });
  expect(opened).toEqual(['1']);
});

const answering = (answer: (url: string) => string): Publication => ({
  ...apiOf(() => []).publication,
  open: async (url) => documentFrom(url, answer(url)),
});

test('pages without end are refused', async () => {
  await expect(
    advisoryPages(answering(() => '{"advisories":[{"name":"RLSA-2031:1"}],"total":1000000}')),
  ).rejects.toThrow('the pages do not end after 1000');
});

test.each([
  ['{"advisories":[', 'is not valid JSON'],
  ['<html>503</html>', 'is not valid JSON'],
  ['{"detail":"Internal Server Error"}', 'is no page of advisories: advisories'],
  ['{"advisories":[],"total":-1}', 'is no page of advisories: total'],
  ['{"advisories":[],"total":9,"page":4}', 'is page 4, not page 1'],
])('%s is refused', async (text, why) => {
  const walk = advisoryPages(answering(() => text));
  await expect(walk).rejects.toThrow(BrokenDocument);
  await expect(walk).rejects.toThrow(why);
});
