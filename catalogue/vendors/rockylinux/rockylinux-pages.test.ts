import { describe, expect, test } from 'vitest';
import type { Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../formats/document-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { advisoryPages } from './rockylinux-pages.ts';
import { listDocument } from '../../formats/list-document.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2031, 5, 4);

const advisory = (number: number) => ({
  id: number,
  name: `RLSA-2031:${number}`,
  affected_products: [{ major_version: 8 }, { major_version: 9 }],
});
/** Newest first. */
const downFrom = (newest: number, count: number) => Array.from({ length: count }, (_, place) => advisory(newest - place));
const keysDownFrom = (newest: number, count: number) => downFrom(newest, count).flatMap(({ name }) => [`8:${name}`, `9:${name}`]);

const firstPage = 'https://apollo.build.resf.org/api/v3/advisories/?page=1&size=100';

interface Api {
  readonly readWholeAt?: number;
  readonly known?: readonly string[];
  readonly total?: (published: number) => number | null;
  readonly lastUpdate?: string;
  /** The newest page as it was when it was read last. */
  readonly before?: object;
}

/** An API over advisories that may change while it is asked; `opened` are the pages asked for. */
function apiOf(
  published: (request: number) => readonly unknown[],
  { readWholeAt, known, total = (count) => count, lastUpdate, before }: Api = {},
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
      const links = { next: '/api/v3/advisories/?size=1&&page=1', last: '/api/v3/advisories/?size=100&page=1' };
      return documentFrom(
        url,
        JSON.stringify({ advisories, total: total(present.length), page, size, links, last_updated_at: lastUpdate }),
      );
    },
    openList: async (list) => listDocument(list, []),
    async known(_list, keys) {
      return new Set(keys.filter((key) => known?.includes(key)));
    },
    readLast: async () => (before ? [documentFrom(firstPage, JSON.stringify(before))] : []),
    readWholeAt: readWholeAt ?? null,
    now: () => now,
  };
  return { publication, opened };
}

test('read for the first time, the advisories are walked until as many are met as are counted', async () => {
  const { publication, opened } = apiOf(() => downFrom(250, 250), { known: keysDownFrom(250, 250) });
  const { documents, whole } = await advisoryPages(publication);
  expect(whole).toBe(true);
  expect(opened).toEqual(['1', '2', '3']);
  expect(documents.map(({ url }) => url)).toContain('https://apollo.build.resf.org/api/v3/advisories/?page=3&size=100');
});

test('without a count they are walked to an empty page', async () => {
  const { publication, opened } = apiOf(() => downFrom(200, 200), { total: () => null });
  expect((await advisoryPages(publication)).whole).toBe(true);
  expect(opened).toEqual(['1', '2', '3']);
});

test('nothing new: the first page is enough', async () => {
  const { publication, opened } = apiOf(() => downFrom(250, 250), { known: keysDownFrom(250, 250), readWholeAt: now - day });
  expect(await advisoryPages(publication)).toMatchObject({ documents: [{}], whole: false });
  expect(opened).toEqual(['1']);
});

test('with news the walk ends at the first page without any', async () => {
  const { publication, opened } = apiOf(() => downFrom(500, 500), { known: keysDownFrom(390, 390), readWholeAt: now - day });
  expect((await advisoryPages(publication)).whole).toBe(false);
  expect(opened).toEqual(['1', '2', '3']);
});

test('an advisory that is known for one of its releases only is news', async () => {
  const known = keysDownFrom(250, 250).filter((key) => key !== '9:RLSA-2031:250');
  const { publication, opened } = apiOf(() => downFrom(250, 250), { known, readWholeAt: now - day });
  await advisoryPages(publication);
  expect(opened).toEqual(['1', '2']);
});

describe('more has changed than the newest pages hold', () => {
  const updated = (number: number, at: string) => ({ ...advisory(number), updated_at: at });
  const published = [...downFrom(400, 250), updated(150, '2031-06-03T10:00:00.500000+00:00'), ...downFrom(149, 149)];
  const known = keysDownFrom(400, 400);
  const before = { advisories: [], total: 400, last_updated_at: '2031-06-02T10:00:00Z' };
  const lastUpdate = '2031-06-03T10:00:00Z';

  test('an edit of an old one is looked for until it is met', async () => {
    const { publication, opened } = apiOf(() => published, { known, readWholeAt: now - day, lastUpdate, before });
    expect((await advisoryPages(publication)).whole).toBe(false);
    expect(opened).toEqual(['1', '2', '3']);
  });

  test('also when the copy of the newest page is gone, or cannot be read', async () => {
    for (const gone of [{}, { before: { message: 'error' } }]) {
      const { publication, opened } = apiOf(() => published, { known, readWholeAt: now - day, lastUpdate, ...gone });
      await advisoryPages(publication);
      expect(opened).toEqual(['1', '2', '3']);
    }
  });

  test('not when it was met before', async () => {
    const read = { ...before, last_updated_at: lastUpdate };
    const { publication, opened } = apiOf(() => published, { known, readWholeAt: now - day, lastUpdate, before: read });
    await advisoryPages(publication);
    expect(opened).toEqual(['1']);
  });

  test('old ones that are published late, or taken back, are looked for to the end', async () => {
    for (const count of [398, 401]) {
      const late = known.filter((key) => !key.endsWith(':20') && !key.endsWith(':21'));
      const { publication, opened } = apiOf(() => published, {
        known: count === 398 ? late : known,
        readWholeAt: now - day,
        before: { ...before, total: count },
      });
      expect((await advisoryPages(publication)).whole).toBe(true);
      expect(opened).toEqual(['1', '2', '3', '4']);
    }
  });

  test('as many new ones as there are more end the walk', async () => {
    const { publication, opened } = apiOf(() => published, {
      known: keysDownFrom(390, 390),
      readWholeAt: now - day,
      before: { ...before, total: 390 },
    });
    await advisoryPages(publication);
    expect(opened).toEqual(['1', '2']);
  });
});

test('after a week all pages are read again', async () => {
  const { publication, opened } = apiOf(() => downFrom(250, 250), { known: keysDownFrom(250, 250), readWholeAt: now - 7 * day });
  expect((await advisoryPages(publication)).whole).toBe(true);
  expect(opened).toEqual(['1', '2', '3']);
});

test('a page whose records cannot be read does not end the walk, and they count among those that were met', async () => {
  const unreadable = Array.from({ length: 100 }, () => ({ name: null }));
  const { publication, opened } = apiOf(() => [...unreadable, ...downFrom(150, 150)], {
    known: keysDownFrom(150, 150),
    readWholeAt: now - day,
  });
  await advisoryPages(publication);
  expect(opened).toEqual(['1', '2']);
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
  const { publication, opened } = apiOf((request) => (request < 1 ? downFrom(250, 250) : []), { total: () => 250 });
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
  await expect(advisoryPages(answering(() => '{"advisories":[{"name":"RLSA-2031:1"}],"total":1000000}'))).rejects.toThrow(
    'the pages do not end after 1000',
  );
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
