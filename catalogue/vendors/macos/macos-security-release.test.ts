import { expect, test } from 'vitest';
import { findReleaseNames, type ReleaseName, toReleaseKey } from './macos-release-name.ts';
import { collectCves, type SecurityRelease, SecurityReleases } from './macos-security-release.ts';

const macos = (version: string, extra: string | null = null): ReleaseName => ({
  kind: 'macOS',
  version,
  extra,
  supplemental: false,
  major: version.split('.')[0] ?? null,
});
const release = (name: ReleaseName, cve: string, statedBy = 'SOFA'): SecurityRelease => ({
  name,
  cves: new Map([[cve, false]]),
  page: null,
  statedBy,
});
const findCves = (releases: SecurityReleases, name: ReleaseName, build: string | null) => [
  ...releases.findContent(name, build).cves.keys(),
];

test.each([
  ['macOS Tahoe 26.6', ['macOS 26.6']],
  ['macOS Sequoia 15', ['macOS 15']],
  ['Rapid Security Response: macOS Ventura 13.4.1 (a)', ['macOS 13.4.1 (a)']],
  ['macOS Mojave 10.14.6 Supplemental Update', ['macOS 10.14.6 supplemental']],
  [
    'OS X El Capitan v10.11.6 and Security Update 2016-004',
    ['macOS 10.11.6', 'Security Update 2016-004'],
  ],
  ['Security Update 2022-004 Catalina', ['Security Update 2022-004']],
  ['SecUpd2021-004Mojave', ['Security Update 2021-004']],
  ['About the security content of Safari 17.1', ['Safari 17.1']],
  ['macOS Server 5.7.1', []],
  ['Mac OS X Server v10.6.8', []],
  ['iOS 26.5.1 and iPadOS 26.5.1', []],
  ['Safari Technology Preview', []],
])('finds in %s the release names %j', (text, keys) => {
  expect(findReleaseNames(text).map(toReleaseKey)).toEqual(keys);
});

test('reads the system of a security update', () => {
  expect(
    findReleaseNames('Security Update 2019-002 High Sierra, Security Update 2019-002 Sierra').map(
      ({ major }) => major,
    ),
  ).toEqual(['10.13', '10.12']);
});

test('finds the CVEs of a version with or without trailing zeros', () => {
  const releases = new SecurityReleases([release(macos('26.0'), 'CVE-2031-1')]);
  expect(findCves(releases, macos('26'), null)).toEqual(['CVE-2031-1']);
  expect(findCves(releases, macos('26.0.1'), null)).toEqual([]);
  expect(findCves(releases, macos('26.0', '(a)'), null)).toEqual([]);
  expect(findCves(releases, { ...macos('26.0'), supplemental: true }, null)).toEqual([]);
});

test.each([
  ['25G901', true],
  // Later models have a build of their own.
  ['25G2901', true],
  [null, true],
  ['25F71', false],
  ['25G5065a', false],
])("compares a product's build %s with the release's build 25G901: CVEs %s", (build, same) => {
  const releases = new SecurityReleases(
    [release(macos('26.7.1'), 'CVE-2031-1')],
    new Map([['26.7.1', new Set(['25G901'])]]),
  );
  expect(findCves(releases, macos('26.7.1'), build)).toEqual(same ? ['CVE-2031-1'] : []);
});

test("finds no CVEs for a seed when the release's builds are unknown", () => {
  const releases = new SecurityReleases([release(macos('26.7.1'), 'CVE-2031-1')]);
  expect(findCves(releases, macos('26.7.1'), '25G5065a')).toEqual([]);
  expect(findCves(releases, macos('26.7.1'), '25G901')).toEqual(['CVE-2031-1']);
});

test('takes the first of two sources, and distinguishes unknown from unexploited', () => {
  const withoutCves: SecurityRelease = {
    name: macos('26.5'),
    cves: new Map(),
    page: null,
    statedBy: 'SOFA',
  };
  const releases = new SecurityReleases([
    release(macos('26.6'), 'CVE-2031-1'),
    release(macos('26.6'), 'CVE-2031-2', 'Apple'),
    withoutCves,
  ]);
  expect(releases.findContent(macos('26.6'), null)).toMatchObject({
    statedBy: 'SOFA',
    exploited: false,
  });
  expect(releases.findContent(macos('26.5'), null)).toMatchObject({ exploited: false });
  expect(releases.findContent(macos('26.4'), null)).toMatchObject({
    exploited: null,
    statedBy: null,
  });
  expect(releases.findContent(null, null)).toMatchObject({ exploited: null });
});

test('leaves out ids that are not CVEs, and counts a repeated CVE as exploited when one row says so', () => {
  expect(
    collectCves([
      ['cve-2031-0001, CVE-2031-0002', false],
      ['CVE-2031-0001', true],
      ['CVE-2031-0001', false],
      ['CAN-2004-0988', true],
      [7, true],
    ]),
  ).toEqual(
    new Map([
      ['CVE-2031-0001', true],
      ['CVE-2031-0002', false],
    ]),
  );
});
