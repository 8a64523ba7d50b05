import { expect, test } from 'vitest';
import { collect } from '../../testing/collect.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { createReader, formatEntry, indexEntries } from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { rockylinuxFeed } from './rockylinux-feed.ts';

const { entries, readings, said } = createReader(rockylinuxFeed);
const showEntry = async (key: string) => formatEntry((await entries('advisories')).get(key));
const readTexts = (...pages: readonly string[]) => {
  const address = 'https://apollo.build.resf.org/api/v3/advisories/?size=100&page=';
  const documents = pages.map((text, index) => documentFrom(`${address}${index + 1}`, text));
  return collect(findPart(rockylinuxFeed, 'advisories').read({ documents, isComplete: true }));
};
const readPages = (...pages: readonly (readonly unknown[])[]) =>
  readTexts(...pages.map((advisories) => JSON.stringify({ advisories })));
const eight = { affected_products: [{ major_version: 8 }] };

test('yields an entry for each of the two releases of an advisory, with the packages of that release', async () => {
  const common = {
    title: 'Important: lanternd security update',
    releaseDate: Date.UTC(2031, 5, 3, 7, 0, 0, 660),
    bulletinId: 'RLSA-2031:4101',
    severity: 'Important',
    category: 'security',
  };
  expect(await showEntry('8:RLSA-2031:4101')).toEqual({
    ...common,
    binaryPkgName: ['lanternd', 'candle', 'lantern-icons', 'lanternd-libs'],
    osVersion: ['Rocky Linux 8'],
    updatedDate: Date.UTC(2031, 5, 4, 8, 30, 0, 250),
    description:
      'The lanternd packages provide a lighting daemon.\n\nSecurity Fix(es):\n\n* lanternd: overflow in <wick> parsing (CVE-2031-20001)',
    vendorSeverity: 'Important',
    vendorCategory: 'Security',
    referenceLink: 'https://errata.rockylinux.org/RLSA-2031:4101',
    cve: ['CVE-2031-20001', 'CVE-2031-20002'],
    upstreamAdvisories: ['RHSA-2031:4101'],
    modules: ['lantern-tools 4 8090020310101010101 abcdef01 -'],
    packages: [
      'lanternd 2:4.1-7.el8_10 src - - - - - a… sha256 BaseOS',
      // The feed lists it three times, twice with its checksum.
      'lanternd-libs 2:4.1-7.el8_10 x86_64 lanternd-4.1-7.el8_10.src.rpm - - - - b… sha256 BaseOS,devel',
      'lanternd 2:4.1-7.el8_10 x86_64 lanternd-4.1-7.el8_10.src.rpm - - - - - - ',
      'lanternd 2:4.1-7.el8_10 aarch64 lanternd-4.1-7.el8_10.src.rpm - - - - - - ',
      'candle 0.9-1.module+el8.9.0+12+abcdef01 noarch - lantern-tools:4:8090020310101010101:abcdef01 - - - - - AppStream',
      'lantern-icons 1-1 noarch - - - - - - - ',
    ],
    vulnerabilities: [
      'CVE-2031-20001 7.5 CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N CWE-120->CWE-787',
      'CVE-2031-20002 - - -',
    ],
    references: [
      'RHSA-2031:4101 rhsa - https://access.redhat.com/errata/RHSA-2031:4101',
      'CVE-2031-20001 cve - -',
      'CVE-2031-20002 cve - -',
      '2998001 bugzilla - https://bugzilla.redhat.com/show_bug.cgi?id=2998001',
      'ROCKY-12 fix lanternd flickers https://issues.example.org/ROCKY-12',
    ],
  });
  const nine = await showEntry('9:RLSA-2031:4101');
  expect(nine).toMatchObject({
    ...common,
    binaryPkgName: ['lantern-icons', 'lanternd'],
    osVersion: ['Rocky Linux 9'],
    packages: [
      expect.stringMatching(/^lanternd 2:4\.2-1\.el9_5 x86_64 /),
      // Without a product the file name states the release; a package without either counts for all.
      expect.stringMatching(/^lanternd 2:4\.2-1\.el9_5 s390x /),
      expect.stringMatching(/^lantern-icons 1-1 noarch /),
    ],
  });
  expect(nine).not.toHaveProperty('modules');
});

test("falls back to the id's category, the update date and the topic when values are null", async () => {
  expect(await showEntry('10:RLBA-2031:4102')).toEqual({
    title: 'wick-utils bug fix update',
    releaseDate: Date.UTC(2031, 5, 4, 8, 30, 0, 250),
    updatedDate: Date.UTC(2031, 5, 4, 8, 30, 0, 250),
    bulletinId: 'RLBA-2031:4102',
    severity: 'None',
    vendorSeverity: 'None',
    binaryPkgName: ['wick-utils'],
    category: 'bugfix',
    osVersion: ['Rocky Linux 10'],
    description: 'An update is available for wick-utils.',
    referenceLink: 'https://errata.rockylinux.org/RLBA-2031:4102',
    references: ['RHBA-2031:4102 rhba - https://access.redhat.com/errata/RHBA-2031:4102'],
    upstreamAdvisories: ['RHBA-2031:4102'],
    packages: [expect.stringMatching(/^wick-utils 1\.0-2\.el10 /)],
  });
});

test('shows groups within Rocky Linux as their own product, and takes missing releases from the packages', async () => {
  expect(await showEntry('8:RXSA-2031:4103')).toMatchObject({
    category: 'security',
    osVersion: ['Rocky Linux SIG Cloud 8', 'Rocky Linux 8'],
    binaryPkgName: ['kernel'],
  });
  expect(await showEntry('9:RLEA-2031:4104')).toMatchObject({
    category: 'enhancement',
    severity: 'Unspecified',
    osVersion: ['Rocky Linux 9'],
  });
});

test('reports rejected advisories and unreadable values', async () => {
  expect(await said('advisories')).toEqual([
    expect.stringContaining(
      'RLSA-2031:4105: neither its products nor its packages name a release of Rocky Linux [8:RLSA-2031:4105 9:RLSA-2031:4105 ',
    ),
    'advisory 2 of the page: it has no name []',
    expect.stringMatching(/RLSA-2031:4107: packages: .*expected array.* \[8:RLSA-2031:4107 /),
    'RLBA-2031:4102: published_at "15mangled2" is not a date that can be read',
    'RLBA-2031:4102: "wick-utils" is not the name, version, release and architecture of a package; left out',
  ]);
  const url = 'https://apollo.build.resf.org/api/v3/advisories/?page=2&size=100';
  const rejections = (await readings('advisories')).filter(({ kind }) => kind === 'rejection');
  expect(rejections).toMatchObject([{ url }, { url }, { url }]);
});

test("reports unknown words, and finds no Red Hat advisory for Rocky's own id", async () => {
  const [odd, usual] = await readPages([
    { name: 'RLSA-2031:C0001', ...eight, severity: 'urgent', kind: 'Hotfix' },
    { name: 'RLSA-2031:2', ...eight, severity: 'UNKNOWN', kind: 'Enhancement' },
  ]);
  expect(odd).toMatchObject({
    row: { severity: 'Unspecified', category: 'other' },
    detail: {
      vendorSeverity: 'urgent',
      vendorCategory: 'Hotfix',
      upstreamAdvisories: [],
      references: [],
    },
    unknownWords: [
      { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
      { vocabulary: 'category', word: 'Hotfix', shownAs: 'other' },
    ],
  });
  expect(usual).toMatchObject({ row: { severity: 'Unspecified' } });
  expect(usual).not.toHaveProperty('unknownWords');
});

test('reads the oldest page first, and keeps the last fetched of a repeated advisory', async () => {
  const [first, second] = ['RLSA-2031:1', 'RLSA-2031:2'].map((name) => ({ name, ...eight }));
  const read = await readPages([second, first], [{ ...first, synopsis: 'Edited' }]);
  expect([...indexEntries(read)].map(([key, { row }]) => [key, row.title])).toEqual([
    ['8:RLSA-2031:1', 'Edited'],
    ['8:RLSA-2031:2', null],
  ]);
});

test('keeps every digit of a module version over 2^53', async () => {
  const text = `{"advisories":[{"name":"RLSA-2031:1","packages":[{"nevra":"a-0:1-1.el8.x86_64.rpm","module_name":"a","module_version":8040020310811063001}]}]}`;
  expect(formatEntry(indexEntries(await readTexts(text)).get('8:RLSA-2031:1')).modules).toEqual([
    'a - 8040020310811063001 - -',
  ]);
});

test('reads all CVEs of a text, and reports those that are none', async () => {
  const packages = [{ nevra: 'wick-1-1.el8.x86_64', product_name: 'Rocky Linux 8' }];
  const cves = [{ cve: 'CVE-2031-1001,CVE-2031-1002', cwe: 'CWE-1' }, { cve: 'CVE-2031-1' }];
  const [read] = await readPages([{ name: 'RLSA-2031:1', ...eight, packages, cves }]);
  expect(read).toMatchObject({
    detail: {
      cve: ['CVE-2031-1001', 'CVE-2031-1002'],
      vulnerabilities: [
        { cve: 'CVE-2031-1001', weakness: 'CWE-1' },
        { cve: 'CVE-2031-1002', weakness: 'CWE-1' },
      ],
    },
    unknownWords: [{ vocabulary: 'CVE', word: 'CVE-2031-1', shownAs: 'no CVE' }],
  });
});
