import { expect, test } from 'vitest';
import type { Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../formats/document-of.ts';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';
import { noticePages } from './ubuntu-notice-pages.ts';
import { listDocument } from '../../formats/list-document.ts';

const notices = partOf(ubuntuFeed, 'notices');
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2031, 5, 4);

const notice = (number: number, more: object = {}) => ({ id: `USN-${number}-1`, title: `Notice ${number}`, ...more });
/** Newest first. */
const noticesDownFrom = (newest: number, count: number) => Array.from({ length: count }, (_, place) => notice(newest - place));

/** An API over notices that may change while it is asked; `opened` are the offsets asked for. */
function apiOf(
  published: (request: number) => readonly object[],
  more: Partial<Pick<Publication, 'readWholeAt'>> & { known?: string[] } = {},
) {
  const opened: number[] = [];
  const publication: Publication = {
    async open(url) {
      const offset = Number(new URL(url).searchParams.get('offset'));
      const present = published(opened.length);
      opened.push(offset);
      const page = { notices: present.slice(offset, offset + 20), offset, limit: 20, total_results: present.length };
      return documentFrom(url, JSON.stringify(page));
    },
    openList: async (list) => listDocument(list, []),
    async known(_list, keys) {
      return new Set(keys.filter((key) => more.known?.includes(key)));
    },
    readLast: async () => [],
    readWholeAt: more.readWholeAt ?? null,
    now: () => now,
  };
  return { publication, opened };
}

const idsDownFrom = (newest: number, count: number) => noticesDownFrom(newest, count).map(({ id }) => id);

test('read for the first time, the notices are walked to their end', async () => {
  const { publication, opened } = apiOf(() => noticesDownFrom(145, 45), { known: idsDownFrom(145, 45) });
  expect((await noticePages(publication)).whole).toBe(true);
  expect(opened).toEqual([0, 20, 40]);
});

test('nothing new: the first page is enough', async () => {
  const { publication, opened } = apiOf(() => noticesDownFrom(145, 45), { known: idsDownFrom(145, 45), readWholeAt: now - day });
  const { documents, whole } = await noticePages(publication);
  expect(documents).toHaveLength(1);
  expect(whole).toBe(false);
  expect(opened).toEqual([0]);
});

test('with news the walk ends at the first page without any', async () => {
  const { publication, opened } = apiOf(() => noticesDownFrom(200, 100), { known: idsDownFrom(179, 79), readWholeAt: now - day });
  expect((await noticePages(publication)).whole).toBe(false);
  expect(opened).toEqual([0, 20, 40]);
});

test('after a week all pages are read again', async () => {
  const { publication, opened } = apiOf(() => noticesDownFrom(145, 45), { known: idsDownFrom(145, 45), readWholeAt: now - 7 * day });
  expect((await noticePages(publication)).whole).toBe(true);
  expect(opened).toEqual([0, 20, 40]);
});

test('a page whose records cannot be read does not end the walk', async () => {
  const unreadable = Array.from({ length: 20 }, () => ({ id: 'USN-1' }));
  const published = [...unreadable, ...noticesDownFrom(145, 45)];
  const { publication, opened } = apiOf(() => published, { known: idsDownFrom(145, 45), readWholeAt: now - day });
  await noticePages(publication);
  expect(opened).toEqual([0, 20]);
});

test('hidden and unreadable notices count among those that were met', async () => {
  const published = [notice(3, { is_hidden: true }), { title: 'no id' }, notice(1)];
  expect((await noticePages(apiOf(() => published).publication)).whole).toBe(true);
});

test('a notice published while paging moves the others: each comes once, and nothing is withdrawn for it', async () => {
  const { publication } = apiOf((request) => (request < 1 ? noticesDownFrom(145, 45) : noticesDownFrom(146, 46)));
  const contents = await noticePages(publication);
  expect(contents.whole).toBe(false);
  const read = await allOf(notices.read(contents));
  expect(read.map((reading) => 'key' in reading && reading.key)).toEqual(idsDownFrom(145, 45));
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

test('no notices at all are an answer', async () => {
  const { publication, opened } = apiOf(() => []);
  expect(await noticePages(publication)).toMatchObject({ documents: [{}], whole: true });
  expect(opened).toEqual([0]);
});

test('pages without end are refused', async () => {
  const endless: Publication = {
    ...apiOf(() => []).publication,
    open: async (url) => documentFrom(url, JSON.stringify({ notices: [notice(1)], total_results: 1_000_000 })),
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
  const broken: Publication = { ...apiOf(() => []).publication, open: async (url) => documentFrom(url, text) };
  const walk = noticePages(broken);
  await expect(walk).rejects.toThrow(BrokenDocument);
  await expect(walk).rejects.toThrow(why);
});
