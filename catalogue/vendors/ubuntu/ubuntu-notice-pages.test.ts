import { expect, test } from 'vitest';
import type { Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { listDocument } from '../../parsers/list-document.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';
import { noticePages } from './ubuntu-notice-pages.ts';

const notices = partOf(ubuntuFeed, 'notices');
const notice = (number: number, more: object = {}) => ({
  id: `USN-${number}-1`,
  title: `Notice ${number}`,
  ...more,
});
/** Newest first. */
const noticesDownFrom = (newest: number, count: number) =>
  Array.from({ length: count }, (_, place) => notice(newest - place));

/** An API over notices that may change while it is asked; `opened` are the offsets asked for. */
function apiOf(published: (request: number) => readonly object[]) {
  const opened: number[] = [];
  const publication: Publication = {
    async open(url) {
      const offset = Number(new URL(url).searchParams.get('offset'));
      const present = published(opened.length);
      opened.push(offset);
      const page = {
        notices: present.slice(offset, offset + 20),
        offset,
        limit: 20,
        total_results: present.length,
      };
      return documentFrom(url, JSON.stringify(page));
    },
    openList: async (list) => listDocument(list, []),
    known: async (_list, keys) => new Set(keys),
    readLast: async () => [],
    readWholeAt: Date.now() - 1000,
    now: Date.now,
  };
  return { publication, opened };
}

const idsDownFrom = (newest: number, count: number) =>
  noticesDownFrom(newest, count).map(({ id }) => id);

test('all pages are read, also when all of their notices are known', async () => {
  const { publication, opened } = apiOf(() => noticesDownFrom(145, 45));
  expect((await noticePages(publication)).whole).toBe(true);
  expect(opened).toEqual([0, 20, 40]);
});

test('a page whose records cannot be read does not end the walk', async () => {
  const unreadable = Array.from({ length: 20 }, () => ({ id: 'USN-1' }));
  const published = [...unreadable, ...noticesDownFrom(145, 45)];
  const { publication, opened } = apiOf(() => published);
  await noticePages(publication);
  expect(opened).toEqual([0, 20, 40, 60]);
});

test('hidden and unreadable notices count among those that were met', async () => {
  const published = [notice(3, { is_hidden: true }), { title: 'no id' }, notice(1)];
  expect((await noticePages(apiOf(() => published).publication)).whole).toBe(true);
});

test('a notice published while paging moves the others: each comes once, and nothing is withdrawn for it', async () => {
  const { publication } = apiOf((request) =>
    request < 1 ? noticesDownFrom(145, 45) : noticesDownFrom(146, 46),
  );
  const contents = await noticePages(publication);
  expect(contents.whole).toBe(false);
  const read = await readingsOf(notices, contents);
  expect(read.flatMap((reading) => (reading.kind === 'entry' ? [reading.key] : []))).toEqual(
    idsDownFrom(145, 45),
  );
  expect(read.filter((reading) => reading.kind !== 'entry')).toEqual([]);
});

test('a notice taken back while paging hides another: nothing is withdrawn for it', async () => {
  const published = noticesDownFrom(145, 45);
  const { publication } = apiOf((request) => (request < 1 ? published : published.slice(1)));
  expect((await noticePages(publication)).whole).toBe(false);
});

test('a short read is never whole', async () => {
  const { publication, opened } = apiOf((request) => (request < 1 ? noticesDownFrom(145, 45) : []));
  expect((await noticePages(publication)).whole).toBe(false);
  expect(opened).toEqual([0, 20]);
});

test('of a page behind the newest the last good copy may serve', async () => {
  const { publication } = apiOf(() => noticesDownFrom(145, 45));
  const copies: unknown[] = [];
  const open: Publication['open'] = (url, options) => {
    copies.push(options?.lastGoodCopy ?? false);
    return publication.open(url, options);
  };
  await noticePages({ ...publication, open });
  expect(copies).toEqual([false, true, true]);
});

test('no notices at all are an answer', async () => {
  const { publication, opened } = apiOf(() => []);
  expect(await noticePages(publication)).toMatchObject({ documents: [{}], whole: true });
  expect(opened).toEqual([0]);
});

test('pages without end are refused', async () => {
  const endless: Publication = {
    ...apiOf(() => []).publication,
    open: async (url) =>
      documentFrom(url, JSON.stringify({ notices: [notice(1)], total_results: 1_000_000 })),
  };
  await expect(noticePages(endless)).rejects.toThrow('the pages do not end after 2000');
});

test.each([
  ['{"notices":[', 'is not valid JSON'],
  ['<html>503</html>', 'is not valid JSON'],
  ['{"message":"Internal error"}', 'is no page of notices: notices'],
  ['{"notices":[]}', 'is no page of notices: total_results'],
  ['{"notices":[],"total_results":9,"offset":40}', 'is the page at 40, not the one at 0'],
])('%s is refused', async (text, why) => {
  const broken: Publication = {
    ...apiOf(() => []).publication,
    open: async (url) => documentFrom(url, text),
  };
  const walk = noticePages(broken);
  await expect(walk).rejects.toThrow(BrokenDocument);
  await expect(walk).rejects.toThrow(why);
});
