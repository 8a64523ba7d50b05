import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { createReader } from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { readAllItems } from '../../testing/read-all-items.ts';
import { listMergedAddresses } from './macos-catalogues.ts';
import { macosFeed } from './macos-feed.ts';
import { sofaAddress } from './sofa-releases.ts';

const now = Date.UTC(2026, 3, 12);
const { fixtures, instead } = createReader(macosFeed, { now });
const software = findPart(macosFeed, 'software');
const [newest = '', ...older] = listMergedAddresses(now);
const merged = older.at(-1) ?? newest;
const text = await (await fixtures.open(merged)).text();
const createPublication = (more = {}) => instead(() => undefined, more);

test("requests only Apple's addresses and SOFA, and server metadata only for incomplete distributions", async () => {
  const publication = createPublication();
  expect((await software.contents(publication)).isComplete).toBe(true);
  const requested = publication.requested;
  expect(requested.filter((url) => !/^https:\/\/[a-z.]+\.apple\.com\//.test(url))).toEqual([
    sofaAddress,
  ]);
  expect(requested.filter((url) => url.endsWith('.smd'))).toEqual([
    'https://swcdn.apple.com/content/downloads/01/02/901-00002/bb/Lantern24.smd',
  ]);
});

test('finds the newest catalogue by the year, also when only its gzip form is published', async () => {
  expect(listMergedAddresses(Date.UTC(2025, 10, 1))).toHaveLength(1);
  expect(
    listMergedAddresses(Date.UTC(2027, 0, 1)).map((url) => /index-([\d-]+-15)-/.exec(url)?.[1]),
  ).toEqual(['28-27-26-15', '27-26-15', '26-15']);
  const onlyZipped = instead((url) =>
    url === merged ? null : url === `${merged}.gz` ? text : undefined,
  );
  const contents = await software.contents(onlyZipped);
  expect(contents.documents[0]?.url).toBe(`${merged}.gz`);
  const read = await readAllItems(software, contents);
  expect(read.filter(({ kind }) => kind === 'entry')).toHaveLength(6);
});

test('requests missing documents and the catalogues of single systems on every sync', async () => {
  const { documents } = await software.contents(fixtures);
  const readLast = async () => documents;
  const again = createPublication({ readLast, lastCompleteReadAt: now - 60_000 });
  expect((await software.contents(again)).isComplete).toBe(true);
  for (const end of ['901-00002.English.dist', 'index-14.merged-1.sucatalog'])
    expect(again.requested).toContainEqual(expect.stringMatching(`${end}$`));
});

test('reads the copy of a distribution that is no longer served', async () => {
  const { documents } = await software.contents(fixtures);
  const without = instead((url) => (url.endsWith('.dist') ? null : undefined), {
    readLast: async () => documents,
  });
  const listAddresses = (read: typeof documents) => read.map(({ url }) => url).toSorted();
  const contents = await software.contents(without);
  expect(listAddresses(contents.documents)).toEqual(listAddresses(documents));
});

test('does not replace a missing newer catalogue by an older one', async () => {
  const publication = createPublication({ readLast: async () => [documentFrom(newest, text)] });
  await expect(software.contents(publication)).rejects.toThrow(NotPublished);
});

test.each([
  ['breaks off', text.slice(0, text.length / 2), 'not well formed'],
  ['is binary', 'bplist00...', 'it is a binary property list'],
  [
    'has no products',
    '<plist><dict><key>IndexDate</key><date>2031-01-01T00:00:00Z</date></dict></plist>',
    'it has no dictionary "Products"',
  ],
])('refuses a catalogue that %s', async (_what, served, problem) => {
  const publication = instead((url) => (url === merged ? served : undefined));
  await expect(software.contents(publication)).rejects.toThrow(problem);
});
