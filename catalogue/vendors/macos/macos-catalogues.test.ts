/** Which catalogues and distributions are asked for, and which are believed. */
import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { readerOf } from '../../testing/feed-reader.ts';
import { partOf } from '../../testing/part-of.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { mergedAddresses } from './macos-catalogues.ts';
import { macosFeed } from './macos-feed.ts';
import { sofaAddress } from './sofa-releases.ts';

const now = Date.UTC(2026, 3, 12);
const { fixtures, instead } = readerOf(macosFeed, { now });
const software = partOf(macosFeed, 'software');
const [newest = '', ...older] = mergedAddresses(now);
const merged = older.at(-1) ?? newest;
const text = await (await fixtures.open(merged)).text();
const watched = (more = {}) => instead(() => undefined, more);

test('a catalogue leads to Apple alone, beside SOFA, and server metadata are asked for only where the distribution says too little', async () => {
  const publication = watched();
  expect((await software.contents(publication)).whole).toBe(true);
  const { asked } = publication;
  expect(asked.filter((url) => !/^https:\/\/[a-z.]+\.apple\.com\//.test(url))).toEqual([
    sofaAddress,
  ]);
  expect(asked.filter((url) => url.endsWith('.smd'))).toEqual([
    'https://swcdn.apple.com/content/downloads/01/02/901-00002/bb/Lantern24.smd',
  ]);
});

test('the newest catalogue is found by the year, its gzip form when that is the only one', async () => {
  expect(mergedAddresses(Date.UTC(2025, 10, 1))).toHaveLength(1);
  expect(
    mergedAddresses(Date.UTC(2027, 0, 1)).map((url) => /index-([\d-]+-15)-/.exec(url)?.[1]),
  ).toEqual(['28-27-26-15', '27-26-15', '26-15']);
  const onlyZipped = instead((url) =>
    url === merged ? null : url === `${merged}.gz` ? text : undefined,
  );
  const contents = await software.contents(onlyZipped);
  expect(contents.documents[0]?.url).toBe(`${merged}.gz`);
  const read = await readingsOf(software, contents);
  expect(read.filter(({ kind }) => kind === 'entry')).toHaveLength(6);
});

test('what was not served is asked for each time, and so are the catalogues of single systems', async () => {
  const { documents } = await software.contents(fixtures);
  const again = watched({ readLast: async () => documents, readWholeAt: now - 60_000 });
  expect((await software.contents(again)).whole).toBe(true);
  for (const end of ['901-00002.English.dist', 'index-14.merged-1.sucatalog'])
    expect(again.asked).toContainEqual(expect.stringMatching(`${end}$`));
});

test('a distribution that is not served any more is read from its copy', async () => {
  const { documents } = await software.contents(fixtures);
  const without = instead((url) => (url.endsWith('.dist') ? null : undefined), {
    readLast: async () => documents,
  });
  const addressesOf = (read: typeof documents) => read.map(({ url }) => url).toSorted();
  const contents = await software.contents(without);
  expect(addressesOf(contents.documents)).toEqual(addressesOf(documents));
});

test('a catalogue that was there and does not answer is not replaced by an older one', async () => {
  const publication = watched({ readLast: async () => [documentFrom(newest, text)] });
  await expect(software.contents(publication)).rejects.toThrow(NotPublished);
});

test.each([
  ['breaks off', text.slice(0, text.length / 2), 'not well formed'],
  ['is a page', '<html><body>Sorry</body></html>', 'its outermost element is <html>, not <plist>'],
  ['is JSON', '{"error": 1}', 'it is no XML'],
  ['is binary', 'bplist00...', 'it is a binary property list'],
  [
    'has no products',
    '<plist><dict><key>IndexDate</key><date>2031-01-01T00:00:00Z</date></dict></plist>',
    'it has no dictionary "Products"',
  ],
])('a catalogue that %s is not believed', async (_what, served, problem) => {
  const publication = instead((url) => (url === merged ? served : undefined));
  await expect(software.contents(publication)).rejects.toThrow(problem);
});
