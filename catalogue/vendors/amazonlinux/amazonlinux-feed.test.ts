import { expect, test } from 'vitest';
import {
  createReader,
  formatEntry,
  formatMessages,
  indexEntries,
} from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { type PublishedUpdate, updateinfoFrom } from '../../testing/rpm-repository-from.ts';
import { amazonlinuxFeed } from './amazonlinux-feed.ts';

const { entries, fixtures, readText } = createReader(amazonlinuxFeed);
const snapshot = `https://cdn.amazonlinux.com/al2023/core/guids/1/x86_64/`;
const readUpdates = (...updates: readonly (Partial<PublishedUpdate> & { id: string })[]) =>
  readText(
    '2023',
    `${snapshot}repodata/updateinfo.xml`,
    updateinfoFrom(
      updates.map((update) => ({
        type: 'security',
        title: 'Title',
        issued: '2021-06-03 18:37',
        packages: [{ name: 'wick', version: '1', release: '1.amzn2023' }],
        ...update,
      })),
    ),
  );

test('opens the updateinfo of the snapshot in the mirror list as complete contents', async () => {
  const name = `guids/${'4d61726b'.repeat(8)}/x86_64/repodata/`;
  const contents = await findPart(amazonlinuxFeed, '2023').contents(fixtures);
  expect(contents).toMatchObject({
    documents: [{ url: expect.stringMatching(`${name}[\\da-f]{64}-updateinfo.xml.gz$`) }],
    isComplete: true,
    remarks: [],
  });
});

test('reads every field of an advisory', async () => {
  expect(formatEntry((await entries('2023')).get('2023:ALAS2023-2021-581'))).toEqual({
    title: 'Amazon Linux 2023 - ALAS2023-2021-581: Important priority package update for lantern',
    releaseDate: Date.UTC(2021, 5, 3, 18, 37),
    bulletinId: 'ALAS2023-2021-581',
    severity: 'Important',
    binaryPkgName: ['lantern', 'lantern-doc'],
    category: 'security',
    osVersion: ['Amazon Linux 2023'],
    updatedDate: Date.UTC(2021, 5, 4, 11, 30),
    description: expect.stringContaining('CVE-2021-20001:\n\tOverflow in <wick> parsing.'),
    vendorSeverity: 'important',
    vendorCategory: 'security',
    status: 'final',
    rebootSuggested: true,
    referenceLink: 'https://alas.aws.amazon.com/AL2023/ALAS2023-2021-581.html',
    cve: ['CVE-2021-20001', 'CVE-2021-20002'],
    packages: [
      'lantern 2:4.1-7.amzn2023.0.1 aarch64 lantern-4.1-7.amzn2023.0.1.src.rpm - - - - 1… sha256',
      'lantern 2:4.1-7.amzn2023.0.1 x86_64 lantern-4.1-7.amzn2023.0.1.src.rpm - true - - 2… sha256',
      'lantern-doc 2:4.1-7.amzn2023.0.1 noarch lantern-4.1-7.amzn2023.0.1.src.rpm - - - - 3… sha256',
      'lantern 2:4.1-7.amzn2023.0.1 src lantern-4.1-7.amzn2023.0.1.src.rpm - - - - 4… sha256',
    ],
    references: [
      'CVE-2021-20001 cve - https://alas.aws.amazon.com/cve/html/CVE-2021-20001.html',
      'CVE-2021-20002 cve - https://alas.aws.amazon.com/cve/html/CVE-2021-20002.html',
    ],
  });
});

test("maps each of Amazon's severities, shows its word in the detail and reports unknown ones", async () => {
  const read = [
    ...(await entries('2023')).values(),
    ...indexEntries(await readUpdates({ id: 'ALAS2023-2021-900', severity: 'urgent' })).values(),
  ];
  expect(
    read.map(({ row, detail, unknownWords = [] }) => [
      detail['vendorSeverity'],
      row['severity'],
      unknownWords.map(({ vocabulary }) => vocabulary),
    ]),
  ).toEqual([
    ['important', 'Important', []],
    ['medium', 'Moderate', []],
    ['critical', 'Critical', []],
    ['low', 'Low', []],
    ['urgent', 'Unspecified', ['severity']],
  ]);
});

test("links an id of another form to the advisory's own page, if any", async () => {
  const href = 'https://alas.aws.amazon.com/AL2023/other.html';
  const read = await readUpdates(
    { id: 'ALAS2023LIVEPATCH-2021-001', references: [{ id: 'self', type: 'self', href }] },
    { id: 'ALAS2023-2021-1/../..' },
  );
  const links = [...indexEntries(read).values()].map(({ detail }) => detail['referenceLink']);
  expect(links).toEqual([href, null]);
});

test('omits a retracted advisory, and rejects one without packages under its key', async () => {
  const read = await readUpdates(
    { id: 'ALAS2023-2021-901', status: 'retracted' },
    { id: 'ALAS2023-2021-1', packages: [] },
  );
  expect(formatMessages(read)).toEqual([
    'ALAS2023-2021-1: it names no package [2023:ALAS2023-2021-1]',
  ]);
  expect(indexEntries(read).size).toBe(0);
});
