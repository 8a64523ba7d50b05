import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { updateinfoFrom } from '../../testing/rpm-repository-from.ts';
import { amazonlinuxFeed } from './amazonlinux-feed.ts';

const fixtures = publicationFrom(new URL('./fixtures/', import.meta.url));
const snapshot = `https://cdn.amazonlinux.com/al2023/core/guids/${'4d61726b'.repeat(8)}/x86_64/`;
const part = partOf(amazonlinuxFeed, '2023');

async function entries(): Promise<Map<string, Entry>> {
  const read = await readingsOf(part, await part.contents(fixtures));
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

/** What an updateinfo of the snapshot comes to. */
async function readingsFrom(text: string): Promise<FeedItem[]> {
  return readingsOf(part, {
    documents: [documentFrom(`${snapshot}repodata/updateinfo.xml`, text)],
    whole: true,
  });
}

test('the release is the updateinfo of the snapshot that the mirror list names, and whole', async () => {
  const { documents, whole, remarks } = await part.contents(fixtures);
  expect(documents.map(({ url }) => url.replace(/[\da-f]{64}-/, ''))).toEqual([
    `${snapshot}repodata/updateinfo.xml.gz`,
  ]);
  expect([whole, remarks]).toEqual([true, []]);
});

test('an advisory in full', async () => {
  const advisory = (await entries()).get('2023:ALAS2023-2021-581');
  expect(advisory?.row).toEqual({
    title: 'Amazon Linux 2023 - ALAS2023-2021-581: Important priority package update for lantern',
    releaseDate: Date.UTC(2021, 5, 3, 18, 37),
    bulletinId: 'ALAS2023-2021-581',
    severity: 'Important',
    binaryPkgName: ['lantern', 'lantern-doc'],
    category: 'security',
    osVersion: ['Amazon Linux 2023'],
  });
  expect(advisory?.detail).toMatchObject({
    updatedDate: Date.UTC(2021, 5, 4, 11, 30),
    description: expect.stringContaining('CVE-2021-20001:\n\tOverflow in <wick> parsing.'),
    vendorSeverity: 'important',
    status: 'final',
    rebootSuggested: true,
    referenceLink: 'https://alas.aws.amazon.com/AL2023/ALAS2023-2021-581.html',
    cve: ['CVE-2021-20001', 'CVE-2021-20002'],
    packages: [
      {
        name: 'lantern',
        version: '2:4.1-7.amzn2023.0.1',
        architecture: 'aarch64',
        sourcePackage: 'lantern-4.1-7.amzn2023.0.1.src.rpm',
      },
      { name: 'lantern', architecture: 'x86_64' },
      { name: 'lantern-doc', architecture: 'noarch' },
      { name: 'lantern', architecture: 'src' },
    ],
  });
});

test('each of the severities of Amazon has one of the list, and its own word in the detail', async () => {
  const read = [...(await entries()).values()];
  expect(
    read.map(({ row, detail, unknownWords = [] }) => [
      detail['vendorSeverity'],
      row['severity'],
      unknownWords,
    ]),
  ).toEqual([
    ['important', 'Important', []],
    ['medium', 'Moderate', []],
    ['critical', 'Critical', []],
    ['low', 'Low', []],
  ]);
});

const wick = { name: 'wick', version: '1', release: '1.amzn2023' };

test('a severity that is none of them is reported and kept', async () => {
  const update = {
    type: 'security',
    title: 'Title',
    issued: '2021-06-03 18:37',
    severity: 'urgent',
    packages: [wick],
  };
  expect(
    await readingsFrom(updateinfoFrom([{ ...update, id: 'ALAS2023-2021-900' }])),
  ).toMatchObject([
    {
      row: { severity: 'Unspecified' },
      detail: { vendorSeverity: 'urgent' },
      unknownWords: [{ vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' }],
    },
  ]);
});

test('an id of another form links to the page that the advisory names, or to none', async () => {
  const update = {
    type: 'security',
    title: 'Title',
    issued: '2021-06-03 18:37',
    packages: [wick],
  };
  const self = { id: 'self', type: 'self', href: 'https://alas.aws.amazon.com/AL2023/other.html' };
  const read = await readingsFrom(
    updateinfoFrom([
      { ...update, id: 'ALAS2023LIVEPATCH-2021-001', references: [self] },
      { ...update, id: 'ALAS2023-2021-1/../..' },
    ]),
  );
  expect(
    read.map((reading) => reading.kind === 'entry' && reading.detail['referenceLink']),
  ).toEqual([self.href, null]);
});

test('an advisory that is retracted is not listed', async () => {
  const update = {
    type: 'security',
    title: 'Title',
    issued: '2021-06-03 18:37',
    packages: [wick],
  };
  expect(
    await readingsFrom(
      updateinfoFrom([{ ...update, id: 'ALAS2023-2021-901', status: 'retracted' }]),
    ),
  ).toEqual([]);
});

test('an advisory that cannot be used is kept out under the key of its row, so that the row is kept', async () => {
  const text =
    '<updates><update><id>ALAS2023-2021-1</id><pkglist><collection><package arch="noarch"/></collection></pkglist></update></updates>';
  expect(await readingsFrom(text)).toMatchObject([
    { kind: 'rejection', rejected: 'ALAS2023-2021-1', keys: ['2023:ALAS2023-2021-1'] },
  ]);
});
