import { expect, test } from 'vitest';
import {
  createReader,
  formatEntry,
  formatMessages,
  indexEntries,
} from '../../testing/feed-reader.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { almalinuxFeed } from './almalinux-feed.ts';

const { documents, entries, readings, readText, said } = createReader(almalinuxFeed);
const url = 'https://errata.almalinux.org/8/errata.full.json';
const readData = (...data: readonly unknown[]) => readText('8', url, JSON.stringify({ data }));
const packages = [{ name: 'wick', version: '1', release: '1.el8' }];

test('opens the one document of a release as complete contents', async () => {
  expect(await documents('9')).toEqual(['https://errata.almalinux.org/9/errata.full.json', true]);
});

test('reads every field of an advisory, and a repeated package once', async () => {
  expect(formatEntry((await entries('8')).get('8:ALSA-2031:4101'))).toEqual({
    title: 'Important: lanternd security update',
    releaseDate: Date.UTC(2031, 5, 3),
    bulletinId: 'ALSA-2031:4101',
    severity: 'Important',
    binaryPkgName: ['lanternd', 'candle', 'lanternd-libs'],
    category: 'security',
    osVersion: ['AlmaLinux 8'],
    updatedDate: Date.UTC(2031, 5, 4),
    description:
      'The lanternd packages provide a lighting daemon.  \n\nSecurity Fix(es):  \n\n  * lanternd: overflow in <wick> parsing (CVE-2031-20001)\n',
    rebootSuggested: true,
    restartSuggested: true,
    reloginSuggested: false,
    vendorSeverity: 'Important',
    vendorCategory: 'security',
    referenceLink: 'https://errata.almalinux.org/8/ALSA-2031-4101.html',
    cve: ['CVE-2031-20001'],
    upstreamAdvisories: ['RHSA-2031:4101'],
    packages: [
      'lanternd-libs 2:4.1-7.el8 x86_64 lanternd-4.1-7.el8.src.rpm - false true false 1… sha256',
      'lanternd 2:4.1-7.el8 x86_64 lanternd-4.1-7.el8.src.rpm - true - - 2… sha256',
      'candle 0.9-1.module_el8.9.0+12+abcdef01 noarch candle-0.9-1.module_el8.9.0+12+abcdef01.src.rpm lantern-tools:4:8090020310101010101:abcdef01:x86_64 false - - 3… sha256',
    ],
    modules: ['lantern-tools 4 8090020310101010101 abcdef01 x86_64'],
    references: [
      'RHSA-2031:4101 rhsa - https://access.redhat.com/errata/RHSA-2031:4101',
      'cve-2031-20001 cve - https://access.redhat.com/security/cve/CVE-2031-20001',
      'CVE-2031-20001 cve - -',
      '2098001 bugzilla - https://bugzilla.redhat.com/2098001',
      'ALSA-2031:4101 self - https://errata.almalinux.org/8/ALSA-2031-4101.html',
    ],
  });
});

test("leaves missing values empty and falls back to the id's category and the update date", async () => {
  expect(formatEntry((await entries('8')).get('8:ALBA-2031:4102'))).toEqual({
    title: 'wick-utils bug fix update',
    releaseDate: Date.UTC(2031, 5, 3, 0, 0, 0, 250),
    updatedDate: Date.UTC(2031, 5, 3, 0, 0, 0, 250),
    bulletinId: 'ALBA-2031:4102',
    severity: 'Unspecified',
    binaryPkgName: ['wick-utils'],
    category: 'bugfix',
    osVersion: ['AlmaLinux 8'],
    referenceLink: 'https://errata.almalinux.org/8/ALBA-2031-4102.html',
    packages: ['wick-utils 1.0-1.el8 noarch - - - - - - -'],
  });
});

test('reports unknown words and shows them as written', async () => {
  const [odd, usual] = await readData(
    {
      id: 'ALSA-2031:1',
      severity: 'urgent',
      type: 'hotfix',
      status: 'final',
      packages,
      references: [
        { id: 'CVE-2031-1001;CVE-2031-1002', type: 'cve' },
        { id: 'CVE-2031-1', type: 'cve' },
      ],
    },
    { id: 'ALSA-2031:2', severity: 'Moderate', type: 'security', packages },
  );
  expect(odd).toMatchObject({
    row: { severity: 'Unspecified', category: 'other' },
    detail: {
      vendorSeverity: 'urgent',
      vendorCategory: 'hotfix',
      status: 'final',
      cve: ['CVE-2031-1001', 'CVE-2031-1002'],
    },
    unknownWords: [
      { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
      { vocabulary: 'category', word: 'hotfix', shownAs: 'other' },
      { vocabulary: 'CVE', word: 'CVE-2031-1', shownAs: 'no CVE' },
    ],
  });
  expect(usual).not.toHaveProperty('unknownWords');
});

test('rejects a record without an id or a package name, and adds a remark on an invalid date', async () => {
  expect(await said('8')).toEqual([
    'AlmaLinux 8, ALBA-2031:4102: issued_date "15mangled2" is not a date that can be read',
    'record 3: it has no id []',
    'ALSA-2031:4103: packages.0.name: it is missing [8:ALSA-2031:4103]',
  ]);
  expect(await readings('8')).toContainEqual(
    expect.objectContaining({ rejected: 'record 3', url }),
  );
});

test('merges a repeated id into one entry with the newest words and the packages of both', async () => {
  expect(formatEntry((await entries('8')).get('8:ALEA-2031:4104'))).toMatchObject({
    releaseDate: 1938470400000,
    description: 'Newer text.',
    packages: ['beeswax 3.0-2.el8 x86_64 - - - - - - -', 'beeswax 3.0-2.el8 aarch64 - - - - - - -'],
  });
});

test('yields an entry for each release of an advisory', async () => {
  const read = await entries('9');
  expect([...read].map(([key, { row }]) => [key, row.osVersion])).toEqual([
    ['9:ALSA-2031:4101', ['AlmaLinux 9']],
  ]);
  expect(await readings('10')).toEqual([]);
});

test('reads the older form: dates of a database export, module versions as numbers over 2^53', async () => {
  const older = publicationFrom(new URL('fixtures/older-form/', import.meta.url));
  expect(formatEntry((await entries('8', older)).get('8:ALBA-2031:4201'))).toMatchObject({
    releaseDate: 1938211200123,
    severity: 'None',
    category: 'bugfix',
    binaryPkgName: ['snuffer'],
    updatedDate: 1938297600456,
    status: 'final',
    rebootSuggested: false,
    modules: ['snuffer rhel 8040020310811063001 522a0ee4 x86_64'],
    packages: [
      expect.stringMatching(/ snuffer:rhel:8040020310811063001:522a0ee4:x86_64 .* sha256$/),
    ],
  });
});

test.each([
  1704164645,
  '1704164645',
  '2024-01-02 03:04:05',
  { $date: 1704164645000 },
  { $date: { $numberLong: '1704164645000' } },
  { $date: '2024-01-02T03:04:05Z' },
])('reads the date %j', async (issued_date) => {
  const read = await readData({ id: 'ALSA-2024:1', issued_date, packages });
  expect(read).toMatchObject([{ row: { releaseDate: 1704164645000 } }]);
});

test('leaves out builds for another release', async () => {
  const record = (id: string, ...builds: string[]) => ({
    id,
    packages: builds.map((release) => ({ name: 'wick', version: '1', release })),
  });
  const read = await readData(record('A', '1.el8', '2.el9_3'), record('B', '2.el9'));
  expect(formatMessages(read)).toEqual([
    'A: "wick-1-2.el9_3" is not built for el8; left out',
    'B: "wick-1-2.el9" is not built for el8; left out',
    'B: none of its packages is built for el8 []',
  ]);
  expect(formatEntry(indexEntries(read).get('8:A')).packages).toEqual([
    'wick 1-1.el8 - - - - - - - -',
  ]);
});
