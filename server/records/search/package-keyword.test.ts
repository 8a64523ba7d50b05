import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { debianList } from '@patch/catalogue/vendors/debian/debian-list.ts';
import { windowsKbList } from '@patch/catalogue/vendors/windows/lists/windows-kb-list.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { parsePackageKeyword } from '../criteria/keyword-parts.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const errata = getList(almalinuxList.key);

test.each([
  ['openssl-libs-1:1.1.1k-12.el8_9.x86_64', 'openssl-libs', '1.1.1k-12.el8_9', true],
  ['openssl-libs-1.1.1k-12.el8_9.x86_64', 'openssl-libs', '1.1.1k-12.el8_9', true],
  ['openssl-libs-1.1.1k-12.el8_9.x86_64.rpm', 'openssl-libs', '1.1.1k-12.el8_9', true],
  ['1:openssl-libs-1.1.1k-12.el8_9.i686', 'openssl-libs', '1.1.1k-12.el8_9', true],
  ['bash-(none):4.4.20-4.el8.x86_64', 'bash', '4.4.20-4.el8', true],
  ['openssl-1.1.1k-12.el8_9.src.rpm', 'openssl', '1.1.1k-12.el8_9', true],
  ['openssl-libs-1.1.1k-12.el8_9', 'openssl-libs', '1.1.1k-12.el8_9', false],
  ['openssl-libs-1.1.1k', 'openssl-libs', '1.1.1k', false],
  ['Kernel-Core-4.18.0-513.24.1.EL8_9.aarch64', 'kernel-core', '4.18.0-513.24.1.el8_9', true],
  [
    'java-1.8.0-openjdk-1:1.8.0.402.b06-2.el8.x86_64',
    'java-1.8.0-openjdk',
    '1.8.0.402.b06-2.el8',
    true,
  ],
  ['java-1.8.0-openjdk-1.8.0.402', 'java-1.8.0-openjdk', '1.8.0.402', false],
  [
    'perl-4:5.32.1-472.module_el8.9.0+12+abcdef01.x86_64',
    'perl',
    '5.32.1-472.module_el8.9.0+12+abcdef01',
    true,
  ],
])('parses the RPM package %s', (typed, name, version, isComplete) => {
  expect(parsePackageKeyword(errata, fold(typed))).toEqual({ name, version, isComplete });
});

test.each([
  'openssl',
  'openssl-libs',
  'security update',
  'java-1.8.0-openjdk',
  'el8_9.x86_64',
  'ALSA-2024:1691',
  'openSUSE-SU-2024:0137-1',
  'openSUSE-2024-150',
  'CVE-2024-3094',
  '-1-1',
  '',
])('returns null for %j, which does not name an RPM package with a version', (typed) => {
  expect(parsePackageKeyword(errata, fold(typed))).toBeNull();
});

test.each([
  ['libssl3_3.0.11-1~deb12u2_amd64.deb', 'libssl3', '3.0.11-1~deb12u2', true],
  ['libssl3_3.0.11-1~deb12u2_amd64', 'libssl3', '3.0.11-1~deb12u2', true],
  ['libssl3=3.0.11-1~deb12u2', 'libssl3', '3.0.11-1~deb12u2', false],
  ['libssl3:amd64 3.0.11-1~deb12u2', 'libssl3', '3.0.11-1~deb12u2', false],
  ['g++-12=4:12.2.0-14', 'g++-12', '12.2.0-14', false],
])('parses the Debian package %s', (typed, name, version, isComplete) => {
  expect(parsePackageKeyword(getList(debianList.key), fold(typed))).toEqual({
    name,
    version,
    isComplete,
  });
});

test.each(['xen', 'DSA-5378-1', 'security update', 'xen - security update'])(
  'returns null for %j, which does not name a Debian package with a version',
  (typed) => {
    expect(parsePackageKeyword(getList(debianList.key), fold(typed))).toBeNull();
  },
);

test('returns null for a list whose records have no packages', () => {
  expect(
    parsePackageKeyword(getList(windowsKbList.key), 'openssl-libs-1.1.1k-12.el8_9.x86_64'),
  ).toBeNull();
});

const of = (name: string, version: string, architecture = 'x86_64', source = 'openssl') => ({
  name,
  version,
  architecture,
  sourcePackage: `${source}-${version.replace(/^\d+:/, '')}.src.rpm`,
});

const advisory = (bulletinId: string, packages: ReturnType<typeof of>[], upstream: string) => {
  const row = {
    bulletinId,
    title: 'Important: security update',
    binaryPkgName: [...new Set(packages.map(({ name }) => name))],
  };
  const detail = { packages, upstreamAdvisories: [upstream] };
  return { key: bulletinId, row, detail };
};

describeWithDatabase('package keyword search', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    const advisories = [
      advisory(
        'ALSA-2024:1',
        [of('openssl-libs', '1:1.1.1k-12.el8_9'), of('openssl-devel', '1:1.1.1k-12.el8_9', 'i686')],
        'RHSA-2023:7877',
      ),
      advisory('ALSA-2024:2', [of('openssl-libs', '1:1.1.1k-14.el8_6')], 'RHSA-2024:7848'),
      advisory(
        'ALSA-2024:3',
        [of('kernel', '4.18.0-513.el8', 'x86_64', 'kernel'), of('bpftool', '4.18.0-513.el8')],
        'RHSA-2024:0113',
      ),
      advisory(
        'ALSA-2024:4',
        [of('kernel', '4.18.0-51.el8', 'x86_64', 'kernel')],
        'RHSA-2024:0897',
      ),
    ];
    await writeRecords(database, errata, advisories);
    const row = {
      bulletinId: 'DSA-5532-1',
      pkgName: 'openssl',
      pkgAndVersion: 'openssl 3.0.11-1~deb12u2',
    };
    const detail = {
      packages: [
        { name: 'libssl3', version: '3.0.11-1~deb12u2' },
        { name: 'libssl-doc', version: null },
      ],
    };
    const key = 'DSA-5532-1|bookworm|openssl';
    await writeRecords(database, debianList.key, [{ key, row, detail }]);
  });

  test.each([
    ['libssl3_3.0.11-1~deb12u2_amd64.deb', 1],
    ['libssl-doc', 1],
    ['libssl3=3.0.11-1', 1],
    ['openssl 3.0.11-1~deb12u2', 1],
    ['libssl3_3.0.11-1_amd64.deb', 0],
    ['libssl1.1_3.0.11-1~deb12u2_amd64.deb', 0],
  ])('finds the Debian fix with the package %s', async (keyword, total) => {
    const search = readSearch(getList(debianList.key), { offset: 0, size: 25 }, { keyword });
    expect((await new SearchStore(database).find(search)).total).toBe(total);
  });

  test.each([
    ['openssl-libs-1:1.1.1k-12.el8_9.x86_64', ['ALSA-2024:1']],
    ['openssl-libs-1.1.1k-12.el8_9', ['ALSA-2024:1']],
    ['openssl-libs-1.1.1k', ['ALSA-2024:1', 'ALSA-2024:2']],
    ['openssl-1.1.1k-14.el8_6.src.rpm', ['ALSA-2024:2']],
    ['openssl-perl-1.1.1k-12.el8_9.x86_64', []],
    ['openssl-libs-1.1.1k-13.el8_9.x86_64', []],
    ['1.1.1k-12.el8_9', ['ALSA-2024:1']],
    ['kernel-4.18.0-51.el8.x86_64', ['ALSA-2024:4']],
    ['kernel-4.18.0-51', ['ALSA-2024:3', 'ALSA-2024:4']],
    ['kernel-4.18.0-5%', []],
    ['libs-1.1.1k-12.el8_9', []],
    ['RHSA-2024:7848', ['ALSA-2024:2']],
    ['ALSA-2024:3', ['ALSA-2024:3']],
    ['important openssl-libs-1.1.1k-12.el8_9.x86_64', ['ALSA-2024:1']],
    ['kernel openssl-libs-1.1.1k-12.el8_9.x86_64', []],
    ['"important: security update ALSA-2024:1"', []],
    ['"ALSA-2024:1 important: security update"', []],
  ])('finds with %s the advisories %j', async (keyword, ids) => {
    const { rows, total } = await new SearchStore(database).find(
      readSearch(errata, { offset: 0, size: 25, sort: 'bulletinId' }, { keyword }),
    );
    expect(
      (JSON.parse(`[${rows}]`) as { bulletinId: string }[]).map(({ bulletinId }) => bulletinId),
    ).toEqual(ids);
    expect(total).toBe(ids.length);
  });
});
