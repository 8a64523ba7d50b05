/** APIs read page by page: records published or withdrawn meanwhile must withdraw nothing. */
import { describe, expect, test } from 'vitest';
import type { PartManifest, Publication } from './definition/feed.ts';
import { BrokenDocument } from './parsers/create-document.ts';
import { documentFrom } from './testing/document-from.ts';
import { findPart } from './testing/find-part.ts';
import { publicationFrom } from './testing/publication-from.ts';
import { readAllItems } from './testing/read-all-items.ts';
import { openAdvisoryPages, rockylinuxFeed } from './vendors/rockylinux/rockylinux-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';
import { openNoticePages } from './vendors/ubuntu/ubuntu-notice-part.ts';

const apis = {
  Apollo: {
    walk: openAdvisoryPages,
    part: findPart(rockylinuxFeed, 'advisories'),
    size: 100,
    parameter: 'page',
    /** Index of the first record of a page. */
    startOf: (page: number) => (page - 1) * 100,
    toParameter: (index: number) => index + 1,
    record: (number: number) => ({
      id: number,
      name: `RLSA-2031:${number}`,
      affected_products: [{ major_version: 8 }],
      packages: [{ nevra: 'a-0:1-1.el8.x86_64.rpm' }],
    }),
    keyOf: (number: number) => `8:RLSA-2031:${number}`,
    // Links as they sometimes are: with another page size, or with an invalid next page.
    page: (advisories: readonly unknown[], page: number, total: number | null) => ({
      advisories,
      total,
      page,
      size: 100,
      links: { next: '/api/v3/advisories/?size=1&&page=1' },
    }),
    unreadable: { name: null },
    endless: 'the pages do not end after 1000',
    refused: [
      ['{"advisories":[', 'is not valid JSON'],
      ['<html>503</html>', 'is not valid JSON'],
      ['{"detail":"Internal Server Error"}', 'is not a page of advisories: advisories'],
      ['{"advisories":[],"total":-1}', 'is not a page of advisories: total'],
      ['{"advisories":[],"total":9,"page":4}', 'is page 4, not page 1'],
    ],
  },
  'the notices of Ubuntu': {
    walk: openNoticePages,
    part: findPart(ubuntuFeed, 'notices'),
    size: 20,
    parameter: 'offset',
    startOf: (offset: number) => offset,
    toParameter: (index: number) => index * 20,
    record: (number: number) => ({ id: `USN-${number}-1`, title: `Notice ${number}` }),
    keyOf: (number: number) => `USN-${number}-1`,
    page: (notices: readonly unknown[], offset: number, total: number | null) => ({
      notices,
      offset,
      limit: 20,
      total_results: total,
    }),
    unreadable: { id: 'USN-1' },
    endless: 'the pages do not end after 2000',
    refused: [
      ['{"notices":[', 'is not valid JSON'],
      ['<html>503</html>', 'is not valid JSON'],
      ['{"message":"Internal error"}', 'is not a page of notices: notices'],
      ['{"notices":[]}', 'is not a page of notices: total_results'],
      ['{"notices":[],"total_results":9,"offset":40}', 'is the page at 40, not the one at 0'],
    ],
  },
} as const;

describe.each(Object.entries(apis))('the pages of %s', (_name, api) => {
  const { walk, part, size, startOf, record, keyOf } = api;
  /** Newest first: two and a half pages down from the newest number. */
  const published = (newest: number, count = size * 2.5) =>
    Array.from({ length: count }, (_, index) => record(newest - index));
  const requestedPages = (pages: number) =>
    Array.from({ length: pages }, (_, index) => api.toParameter(index));

  /** Serves an API whose records may change between requests; `opened` lists the requested pages. */
  function serving(
    present: (request: number) => readonly unknown[],
    total: (count: number) => number | null = (count) => count,
  ) {
    const opened: number[] = [];
    const copies: boolean[] = [];
    const publication: Publication = {
      ...publicationFrom('/nowhere'),
      known: async (_list, keys) => new Set(keys),
      lastCompleteReadAt: Date.now() - 1000,
      async open(url, options) {
        const requested = Number(new URL(url).searchParams.get(api.parameter));
        const records = present(opened.length);
        opened.push(requested);
        copies.push(options?.lastGoodCopy ?? false);
        const start = startOf(requested);
        const page = api.page(records.slice(start, start + size), requested, total(records.length));
        return documentFrom(url, JSON.stringify(page));
      },
    };
    return { publication, opened, copies };
  }
  const isComplete = async (...given: Parameters<typeof serving>) =>
    (await walk(serving(...given).publication)).isComplete;

  test('are read until as many records are found as are counted, also when all are known', async () => {
    const { publication, opened, copies } = serving(() => published(1000));
    const contents: PartManifest = await walk(publication);
    expect(contents.isComplete).toBe(true);
    expect(opened).toEqual(requestedPages(3));
    // The last good copy may serve for any page of Ubuntu but the newest.
    expect(copies).toEqual(size === 20 ? [false, true, true] : [false, false, false]);
    const read = await readAllItems(part, contents);
    const keys = read.map((reading) => (reading.kind === 'entry' ? reading.key : reading.kind));
    const expected = Array.from({ length: size * 2.5 }, (_, index) => keyOf(1000 - index));
    expect(keys.toSorted()).toEqual(expected.toSorted());
  });

  test('are walked past unreadable records, which count as found', async () => {
    const unreadable = Array.from({ length: size }, () => api.unreadable);
    const { publication, opened } = serving(() => [...unreadable, ...published(1000)]);
    await walk(publication);
    expect(opened).toEqual(requestedPages(4));
    expect(await isComplete(() => [api.unreadable, {}, record(1)])).toBe(true);
  });

  test.each([
    ['one is published', published(1001, size * 2.5 + 1)],
    ['one is taken back', published(1000).slice(1)],
    ['none are served any more', []],
  ])('are incomplete when %s meanwhile', async (_what, later) => {
    const { publication, opened } = serving((request) => (request < 1 ? published(1000) : later));
    const contents = await walk(publication);
    expect(contents.isComplete).toBe(false);
    expect(opened).toEqual(requestedPages(later.length === 0 ? 2 : 3));
    const read = (await readAllItems(part, contents)).filter((reading) => reading.kind === 'entry');
    expect(new Set(read.map(({ key }) => key)).size).toBe(read.length);
  });

  test('are incomplete when the order changes between two pages, or fewer records are found than counted', async () => {
    const all = published(1000, size * 1.5);
    expect(await isComplete((request) => (request < 1 ? all : all.toReversed()))).toBe(false);
    expect(
      await isComplete(
        (request) => (request < 1 ? all : []),
        () => all.length,
      ),
    ).toBe(false);
  });

  test('are complete when the API has no records', async () => {
    const { publication, opened } = serving(() => []);
    expect(await walk(publication)).toMatchObject({ documents: [{}], isComplete: true });
    expect(opened).toEqual(requestedPages(1));
  });

  test('are refused when they do not end', async () => {
    const endless = serving(
      () => published(1_000_000, 1),
      () => 1_000_000,
    );
    const open: Publication['open'] = async (url) =>
      documentFrom(
        url,
        JSON.stringify({ ...api.page([record(1)], 0, 1_000_000), page: null, offset: undefined }),
      );
    await expect(walk({ ...endless.publication, open })).rejects.toThrow(api.endless);
  });

  test.each<readonly [string, string]>(api.refused)(
    'are refused when one is %s',
    async (text, why) => {
      const { publication } = serving(() => []);
      const walked = walk({ ...publication, open: async (url) => documentFrom(url, text) });
      await expect(walked).rejects.toThrow(BrokenDocument);
      await expect(walked).rejects.toThrow(why);
    },
  );
});

test('are walked to an empty page when Apollo gives no count', async () => {
  const opened: (string | null)[] = [];
  const open: Publication['open'] = async (url) => {
    const page = new URL(url).searchParams.get('page');
    opened.push(page);
    const advisories = page === '3' ? [] : [{ name: `RLSA-2031:${page}` }];
    return documentFrom(url, JSON.stringify({ advisories }));
  };
  expect((await openAdvisoryPages({ ...publicationFrom('/nowhere'), open })).isComplete).toBe(true);
  expect(opened).toEqual(['1', '2', '3']);
});
