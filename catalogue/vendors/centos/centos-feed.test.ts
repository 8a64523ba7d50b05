import { expect, test } from 'vitest';
import type { OpenOptions } from '../../definition/feed.ts';
import {
  createReader,
  formatEntry,
  formatMessages,
  indexEntries,
} from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { centosFeed } from './centos-feed.ts';

/** The fixture's XML is uncompressed under its compressed name to be readable: compression is detected from the bytes. */
const { entries, fixtures, readings, readText: readPart, said } = createReader(centosFeed);
const address = 'https://cefs.steve-meier.de/errata.latest.xml.bz2';
const readText = (text: string) => readPart('errata', address, text);
const showEntry = async (key: string) => formatEntry((await entries('errata')).get(key));

test('verifies the errata against the published checksums', async () => {
  const opened: [string, OpenOptions | undefined][] = [];
  const { documents, isComplete } = await findPart(centosFeed, 'errata').contents({
    ...fixtures,
    open(url, options) {
      opened.push([url, options]);
      return fixtures.open(url, options);
    },
  });
  expect([...documents.map(({ url }) => url), isComplete]).toEqual([address, true]);
  const value = expect.stringMatching(/^[\da-f]{40}$/);
  const sum = { algorithm: 'sha1', value };
  expect(opened).toEqual([
    ['https://cefs.steve-meier.de/errata.latest.sha1', undefined],
    [address, { checksum: sum, openChecksum: sum, version: value }],
  ]);
});

test('yields an entry for each release of an erratum, with the packages built for it', async () => {
  const common = {
    title: 'Moderate CentOS lanternd Security Update',
    releaseDate: Date.UTC(2031, 5, 3, 1, 37, 20),
    bulletinId: 'CESA-2031:4101',
    severity: 'Moderate',
    category: 'security',
  };
  expect(await showEntry('6:CESA-2031:4101')).toMatchObject({
    ...common,
    binaryPkgName: ['lanternd', 'candle', 'lanternd-doc'],
    osVersion: ['CentOS 6'],
  });
  expect(await showEntry('7:CESA-2031:4101')).toEqual({
    ...common,
    binaryPkgName: ['lanternd', 'lanternd-doc', 'lanternd-libs'],
    osVersion: ['CentOS 7'],
    vendorSeverity: 'Moderte',
    vendorCategory: 'Security Advisory',
    referenceLink: 'https://access.redhat.com/errata/RHSA-2031:4101',
    cve: ['CVE-2031-20001'],
    upstreamAdvisories: ['RHSA-2031:4101'],
    references: [
      '000101 - - https://lists.centos.org/pipermail/centos-announce/2031-June/000101.html',
      'CVE-2031-20001 cve - https://access.redhat.com/security/cve/cve-2031-20001',
      'RHSA-2031:4101 rhsa - https://access.redhat.com/errata/RHSA-2031:4101',
    ],
    packages: [
      'lanternd 4.1-9.el7.centos src - - - - - - -',
      'lanternd 4.1-9.el7.centos x86_64 lanternd-4.1-9.el7.centos.src.rpm - - - - - -',
      'lanternd-libs 4.1-9.el7.centos i686 lanternd-4.1-9.el7.centos.src.rpm - - - - - -',
      // Its name states no release, so it counts for both.
      'lanternd-doc 4.1-1 noarch - - - - - - -',
    ],
  });
});

test('reads single values in attributes, a missing severity and an invalid date', async () => {
  expect(await showEntry('5:CEBA-2031:4102')).toEqual({
    title: 'CentOS wick-utils BugFix Update',
    bulletinId: 'CEBA-2031:4102',
    severity: 'Unspecified',
    binaryPkgName: ['wick-utils'],
    category: 'bugfix',
    osVersion: ['CentOS 5'],
    vendorCategory: 'Bug Fix Advisory',
    referenceLink: 'https://rhn.redhat.com/errata/RHBA-2031-4102.html',
    upstreamAdvisories: ['RHBA-2031:4102'],
    packages: [expect.stringMatching(/^wick-utils /)],
    references: ['RHBA-2031:4102 rhba - https://rhn.redhat.com/errata/RHBA-2031-4102.html'],
  });
});

test('reads an id of CentOS itself, and takes the release from the packages', async () => {
  const erratum = await showEntry('7:CEEA-2031:C003');
  expect(erratum).toMatchObject({
    category: 'enhancement',
    osVersion: ['CentOS 7'],
    binaryPkgName: ['lantern-art'],
    description: 'Adds a lantern of more colours & shapes.',
  });
  expect(erratum).not.toHaveProperty('referenceLink');
});

test('merges a repeated id into one entry with the newest words and the packages and keywords of both', async () => {
  expect(await showEntry('6:CESA-2031:X007')).toMatchObject({
    title: 'Critical Xen4CentOS kernel Security Update, again',
    releaseDate: Date.UTC(2031, 5, 6, 12),
    severity: 'Unspecified',
    binaryPkgName: ['kernel', 'perf'],
    rebootSuggested: true,
    referenceLink: 'http://lists.centos.org/pipermail/centos-announce/2031-June/000107.html',
  });
});

test("reports rejected errata and unreadable values, but not CEFS's own metadata", async () => {
  expect(await said('errata')).toEqual([
    'CEBA-2031:4102: issue_date "15mangled2" is not a date that can be read',
    'CEEA-2031:C003: "lantern-art" and 3 more is not the name, version, release and architecture of a package; left out',
    'CEBA-2031:4105: neither its os_release nor its packages name a release of CentOS [4:CEBA-2031:4105 5:CEBA-2031:4105 6:CEBA-2031:4105 7:CEBA-2031:4105 8:CEBA-2031:4105]',
    'CESA_2031__4106: it is not named by the id of an erratum',
  ]);
  expect(await readings('errata')).toContainEqual(
    expect.objectContaining({ rejected: 'CESA_2031__4106', url: address }),
  );
});

test('reports unknown words, and maps keywords to suggestions', async () => {
  const [odd, usual] = await readText(
    `<opt><CESA-2031--1 os_release="7" severity="urgent" type="Hotfix Advisory" keywords="restart_suggested relogin_suggested"/>
     <CEEA-2031--2 os_release="7" type="Product Enhancement Advisory"/></opt>`,
  );
  expect(odd).toMatchObject({
    row: { severity: 'Unspecified', category: 'other' },
    detail: {
      vendorSeverity: 'urgent',
      rebootSuggested: null,
      restartSuggested: true,
      reloginSuggested: true,
    },
    unknownWords: [
      { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
      { vocabulary: 'category', word: 'Hotfix Advisory', shownAs: 'other' },
    ],
  });
  expect(usual).toMatchObject({ row: { category: 'enhancement' } });
  expect(usual).not.toHaveProperty('unknownWords');
});

const formatErratum = (release: number, date: string, files: readonly string[]) =>
  `<CESA-2031--1 issue_date="${date}" synopsis="Of ${release}" os_release="${release}">${files.map((file) => `<packages>${file}</packages>`).join('')}</CESA-2031--1>`;
const of5 = formatErratum(5, '2031-10-29 20:19:18', ['a-1-1.el5.x86_64.rpm']);
const of6 = formatErratum(6, '2031-11-02 08:01:00', ['a-2-1.el6.x86_64.rpm']);
const [date5, date6] = [Date.UTC(2031, 9, 29, 20, 19, 18), Date.UTC(2031, 10, 2, 8, 1)];

test.each([
  [
    'keeps the date and words of each release of one id',
    of5 + of6,
    [`5:CESA-2031:1|Of 5|${date5}|a`, `6:CESA-2031:1|Of 6|${date6}|a`],
  ],
  [
    'keeps them when the later release comes first',
    of6 + of5,
    [`6:CESA-2031:1|Of 6|${date6}|a`, `5:CESA-2031:1|Of 5|${date5}|a`],
  ],
  [
    'merges two elements of one release beside one of both',
    `${of5}<CESA-2031--1 issue_date="2031-12-01" os_release="5 6" packages="b-1-1.el5.x86_64.rpm b-1-1.el6.x86_64.rpm"/>`,
    [`5:CESA-2031:1||${Date.UTC(2031, 11, 1)}|a,b`, `6:CESA-2031:1||${Date.UTC(2031, 11, 1)}|b`],
  ],
  [
    'reads several values in one attribute',
    '<CEBA-2031--1 os_release="5 6" packages="a-1-1.el5.i386.rpm b-1-1.el6.i386.rpm"/>',
    ['5:CEBA-2031:1|||a', '6:CEBA-2031:1|||b'],
  ],
  [
    'leaves out a package built for a release that the erratum does not name',
    '<CESA-2031--1><os_release>5.11</os_release><packages>a-1-1.el5.i386.rpm</packages><packages>b-1-1.el4.i386.rpm</packages></CESA-2031--1>',
    ['CESA-2031:1: "b-1-1.el4" is not built for el5; left out', '5:CESA-2031:1|||a'],
  ],
  [
    'skips markup that is not well formed, with a remark',
    '\n<CEBA-2031--1 os_release="6"><packages>a-1-1.el6.i386.rpm<br></packages></CEBA-2031--1>\n<CEBA-2031--2 os_release="6"/>\n&nope;',
    [
      'line 2 is not well formed: unexpected close tag; read past',
      expect.stringContaining('line 4 is not well formed'),
      '6:CEBA-2031:1|||a',
      '6:CEBA-2031:2|||',
    ],
  ],
])('%s', async (_title, inside, expected) => {
  const read = await readText(`<opt>${inside}</opt>`);
  const lines = [...indexEntries(read)].map(([key, { row }]) =>
    [key, row['title'], row['releaseDate'], row['binaryPkgName']].join('|'),
  );
  expect([...formatMessages(read), ...lines]).toEqual(expected);
});
