import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { rockylinuxFeed } from './rockylinux-feed.ts';

const advisories = partOf(rockylinuxFeed, 'advisories');
const pageAt = (page: number) =>
  `https://apollo.build.resf.org/api/v3/advisories/?page=${page}&size=100`;

async function readings(): Promise<FeedItem[]> {
  return readingsOf(
    advisories,
    await advisories.contents(publicationFrom(new URL('./fixtures/', import.meta.url))),
  );
}

async function entries(): Promise<Map<string, Entry>> {
  return new Map(
    (await readings())
      .filter((reading) => reading.kind === 'entry')
      .map((entry) => [entry.key, entry]),
  );
}

test('yields an entry for each of the two releases of an advisory, with the packages of that release', async () => {
  const read = await entries();
  const row = {
    title: 'Important: lanternd security update',
    releaseDate: Date.UTC(2031, 5, 3, 7, 0, 0, 660),
    bulletinId: 'RLSA-2031:4101',
    severity: 'Important',
    category: 'security',
  };
  const names = ['lanternd', 'candle', 'lantern-icons', 'lanternd-libs'];
  expect(read.get('8:RLSA-2031:4101')?.row).toEqual({
    ...row,
    binaryPkgName: names,
    osVersion: ['Rocky Linux 8'],
  });
  expect(read.get('9:RLSA-2031:4101')?.row).toEqual({
    ...row,
    binaryPkgName: ['lantern-icons', 'lanternd'],
    osVersion: ['Rocky Linux 9'],
  });
  expect(read.get('9:RLSA-2031:4101')?.detail).toMatchObject({
    packages: [
      { name: 'lanternd', version: '2:4.2-1.el9_5', architecture: 'x86_64' },
      // No product is named: the file name says for which release it is, or it is for all.
      { name: 'lanternd', version: '2:4.2-1.el9_5', architecture: 's390x' },
      { name: 'lantern-icons', version: '1-1', architecture: 'noarch' },
    ],
    modules: [],
  });
});

test('the detail of an advisory in full', async () => {
  const { packages, vulnerabilities, references, ...facts } =
    (await entries()).get('8:RLSA-2031:4101')?.detail ?? {};
  expect(facts).toEqual({
    updatedDate: Date.UTC(2031, 5, 4, 8, 30, 0, 250),
    description:
      'The lanternd packages provide a lighting daemon.\n\nSecurity Fix(es):\n\n* lanternd: overflow in <wick> parsing (CVE-2031-20001)',
    rebootSuggested: null,
    restartSuggested: null,
    reloginSuggested: null,
    vendorSeverity: 'Important',
    vendorCategory: 'Security',
    status: null,
    referenceLink: 'https://errata.rockylinux.org/RLSA-2031:4101',
    cve: ['CVE-2031-20001', 'CVE-2031-20002'],
    upstreamAdvisories: ['RHSA-2031:4101'],
    modules: [
      {
        name: 'lantern-tools',
        stream: '4',
        version: '8090020310101010101',
        context: 'abcdef01',
        architecture: null,
      },
    ],
  });
  const sourcePackage = 'lanternd-4.1-7.el8_10.src.rpm';
  const suggestions = { rebootSuggested: null, restartSuggested: null, reloginSuggested: null };
  const unsaid = {
    module: null,
    ...suggestions,
    checksum: null,
    checksumType: null,
    repositories: [],
  };
  const of = { name: 'lanternd', version: '2:4.1-7.el8_10' };
  const sha256 = (digit: string) => ({ checksum: digit.repeat(64), checksumType: 'sha256' });
  expect(packages).toEqual([
    {
      ...unsaid,
      ...of,
      architecture: 'src',
      sourcePackage: null,
      ...sha256('a'),
      repositories: ['BaseOS'],
    },
    // Three times in the feed, with its checksum in two of them.
    {
      ...unsaid,
      ...of,
      name: 'lanternd-libs',
      architecture: 'x86_64',
      sourcePackage,
      ...sha256('b'),
      repositories: ['BaseOS', 'devel'],
    },
    { ...unsaid, ...of, architecture: 'x86_64', sourcePackage },
    { ...unsaid, ...of, architecture: 'aarch64', sourcePackage },
    {
      ...unsaid,
      name: 'candle',
      version: '0.9-1.module+el8.9.0+12+abcdef01',
      architecture: 'noarch',
      sourcePackage: null,
      module: 'lantern-tools:4:8090020310101010101:abcdef01',
      repositories: ['AppStream'],
    },
    {
      ...unsaid,
      name: 'lantern-icons',
      version: '1-1',
      architecture: 'noarch',
      sourcePackage: null,
    },
  ]);
  expect(vulnerabilities).toEqual([
    {
      cve: 'CVE-2031-20001',
      score: '7.5',
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
      weakness: 'CWE-120->CWE-787',
    },
    { cve: 'CVE-2031-20002', score: null, vector: null, weakness: null },
  ]);
  expect(references).toEqual([
    {
      name: 'RHSA-2031:4101',
      type: 'rhsa',
      title: null,
      address: 'https://access.redhat.com/errata/RHSA-2031:4101',
    },
    { name: 'CVE-2031-20001', type: 'cve', title: null, address: null },
    { name: 'CVE-2031-20002', type: 'cve', title: null, address: null },
    {
      name: '2998001',
      type: 'bugzilla',
      title: null,
      address: 'https://bugzilla.redhat.com/show_bug.cgi?id=2998001',
    },
    {
      name: 'ROCKY-12',
      type: 'fix',
      title: 'lanternd flickers',
      address: 'https://issues.example.org/ROCKY-12',
    },
  ]);
});

test('nulls everywhere: the id says the category, the update the date, the topic stands for the description', async () => {
  const advisory = (await entries()).get('10:RLBA-2031:4102');
  expect(advisory?.row).toEqual({
    title: 'wick-utils bug fix update',
    releaseDate: Date.UTC(2031, 5, 4, 8, 30, 0, 250),
    bulletinId: 'RLBA-2031:4102',
    severity: 'None',
    binaryPkgName: ['wick-utils'],
    category: 'bugfix',
    osVersion: ['Rocky Linux 10'],
  });
  expect(advisory?.detail).toMatchObject({
    description: 'An update is available for wick-utils.',
    cve: [],
    references: [
      {
        name: 'RHBA-2031:4102',
        type: 'rhba',
        address: 'https://access.redhat.com/errata/RHBA-2031:4102',
      },
    ],
    upstreamAdvisories: ['RHBA-2031:4102'],
    vulnerabilities: [],
    packages: [{ name: 'wick-utils', version: '1.0-2.el10' }],
  });
});

test('what a group within Rocky Linux publishes is shown as that', async () => {
  expect((await entries()).get('8:RXSA-2031:4103')?.row).toMatchObject({
    category: 'security',
    osVersion: ['Rocky Linux SIG Cloud 8', 'Rocky Linux 8'],
    binaryPkgName: ['kernel'],
  });
});

test('where no product is named the packages say the release', async () => {
  expect((await entries()).get('9:RLEA-2031:4104')?.row).toMatchObject({
    category: 'enhancement',
    severity: 'Unspecified',
    osVersion: ['Rocky Linux 9'],
  });
});

test('what is kept out or cannot be read is said', async () => {
  const url = pageAt(2);
  expect((await readings()).filter((reading) => reading.kind !== 'entry')).toEqual([
    {
      kind: 'rejection',
      rejected: 'RLSA-2031:4105',
      keys: expect.arrayContaining(['8:RLSA-2031:4105']),
      reason: 'neither its products nor its packages name a release of Rocky Linux',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'advisory 2 of the page',
      keys: [],
      reason: 'it has no name',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'RLSA-2031:4107',
      keys: expect.arrayContaining(['9:RLSA-2031:4107']),
      reason: expect.stringMatching(/^packages: .*expected array/),
      url,
    },
    {
      kind: 'remark',
      remark: 'RLBA-2031:4102: published_at "15mangled2" is not a date that can be read',
    },
    {
      kind: 'remark',
      remark:
        'RLBA-2031:4102: "wick-utils" is not the name, version, release and architecture of a package; left out',
    },
  ]);
});
