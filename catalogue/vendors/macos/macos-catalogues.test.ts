/** Which catalogues and distributions are asked for, and which are believed. */
import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { mergedAddresses } from './macos-catalogues.ts';
import { sofaAddress } from './sofa-releases.ts';
import { asked, fixtures, now, software } from './testing/asked-fixtures.ts';

test('a catalogue leads to Apple alone, beside SOFA, and server metadata are asked for only where the distribution says too little', async () => {
  const { urls, publication } = asked();
  const contents = await software.contents(publication);
  expect(contents.whole).toBe(true);
  expect(urls.filter((url) => !/^https:\/\/[a-z.]+\.apple\.com\//.test(url))).toEqual([
    sofaAddress,
  ]);
  expect(urls.filter((url) => url.endsWith('.smd'))).toEqual([
    'https://swcdn.apple.com/content/downloads/01/02/901-00002/bb/Lantern24.smd',
  ]);
});

test('the newest catalogue is found by the year, its gzip form when that is the only one', async () => {
  expect(mergedAddresses(Date.UTC(2025, 10, 1))).toHaveLength(1);
  expect(
    mergedAddresses(Date.UTC(2027, 0, 1)).map((url) => /index-([\d-]+-15)-/.exec(url)?.[1]),
  ).toEqual(['28-27-26-15', '27-26-15', '26-15']);
  const plain = mergedAddresses(now).at(-1) ?? '';
  const text = await (await publicationFrom(fixtures).open(plain)).text();
  const { publication } = asked();
  const onlyZipped = {
    ...publication,
    open: async (url: string) => {
      if (url === plain) throw new NotPublished(url);
      return url === `${plain}.gz` ? documentFrom(url, text) : publication.open(url);
    },
  };
  const contents = await software.contents(onlyZipped);
  expect(contents.documents[0]?.url).toBe(`${plain}.gz`);
  expect(
    (await readingsOf(software, contents)).filter((reading) => reading.kind === 'entry'),
  ).toHaveLength(6);
});

test('what was not served is asked for each time, and so are the catalogues of single systems', async () => {
  const { documents } = await software.contents(publicationFrom(fixtures, { now }));
  const again = asked({ readLast: async () => documents, readWholeAt: now - 60_000 });
  expect((await software.contents(again.publication)).whole).toBe(true);
  expect(again.urls.some((url) => url.endsWith('901-00002.English.dist'))).toBe(true);
  expect(again.urls.some((url) => url.endsWith('index-14.merged-1.sucatalog'))).toBe(true);
});

test('a distribution that is not served any more is read from its copy', async () => {
  const { documents } = await software.contents(publicationFrom(fixtures, { now }));
  const { publication } = asked({ readLast: async () => documents });
  const open: Publication['open'] = async (url, options) => {
    if (url.endsWith('.dist')) throw new NotPublished(url);
    return publication.open(url, options);
  };
  const contents = await software.contents({ ...publication, open, readWholeAt: null });
  expect(contents.documents.map(({ url }) => url).toSorted()).toEqual(
    documents.map(({ url }: Document) => url).toSorted(),
  );
});

test('a catalogue that was there and does not answer is not replaced by an older one', async () => {
  const [newest = ''] = mergedAddresses(now);
  const text = await (
    await publicationFrom(fixtures).open(mergedAddresses(now).at(-1) ?? '')
  ).text();
  const { publication } = asked({ readLast: async () => [documentFrom(newest, text)] });
  await expect(software.contents(publication)).rejects.toThrow(NotPublished);
});

test('a catalogue that breaks off or is none is not believed', async () => {
  const url = mergedAddresses(now).at(-1) ?? '';
  const text = await (await publicationFrom(fixtures).open(url)).text();
  for (const [served, problem] of [
    [text.slice(0, text.length / 2), 'not well formed'],
    ['<html><body>Sorry</body></html>', 'its outermost element is <html>, not <plist>'],
    ['{"error": 1}', 'it is no XML'],
    ['bplist00...', 'it is a binary property list'],
    [
      '<plist><dict><key>IndexDate</key><date>2031-01-01T00:00:00Z</date></dict></plist>',
      'it has no dictionary "Products"',
    ],
  ] as const) {
    await expect(software.contents(asked({}, { [url]: served }).publication)).rejects.toThrow(
      problem,
    );
  }
});
