/** The index of fixes must find exactly the fixes that reading all records finds. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InstalledPackage } from '../machine.ts';
import type { CataloguedRelease } from './catalogued-release.ts';
import { indexFixes } from './indexed-fixes.ts';
import type { StoredRecord } from './stored-values.ts';
import { findByKeys, findByReading } from './testing/fixes-by-keys.ts';

const one = fc.constantFrom;
const maybe = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null });

const rpmNames = ['bash', 'kernel', 'kernel-uek', 'openssl', 'nodejs', 'glibc'];
const rpmVersions = [
  '1.0-1.el8',
  '1.0-2.el8',
  '1.0~rc1-1.el8',
  '1.0^git1-1.el8',
  '5.4.17-1.el8uek',
  '5.4.17-9.el8uek',
  '5.15.0-3.el8uek',
  '16.1-1.module_el8.6.0+1',
  '18.0-2.module_el8.6.0+1',
  '1.0-1.ksplice1.el8',
  '1.0-2_fips.el8',
];
const rpmArchitectures = ['x86_64', 'i686', 'noarch', 'src'];
const modules = ['nodejs:16:8:a', 'nodejs:18', 'nodejs'];
const debNames = [
  'bash',
  'openssl',
  'libssl3',
  'linux-image-5.10.0-8-amd64',
  'linux-image-5.10.0-9-amd64',
  'linux-image-5.4.0-99-generic',
];
const debSources = ['bash', 'openssl', 'linux', 'linux-signed-amd64'];
const debVersions = [
  '1.0-1',
  '1.0-1+b1',
  '1:0.9-1',
  '1.0~rc1-1',
  '1.0-1+esm1',
  '1.1',
  '0',
  '1.1-0',
];

const rpmVersion = fc
  .tuple(maybe(one('0', '1', '2')), one(...rpmVersions))
  .map(([epoch, version]) => (epoch === null ? version : `${epoch}:${version}`));

const rpmRecord = fc.record({
  key: fc.uuid(),
  row: fc.record({
    osVersion: one<unknown>('AlmaLinux 8', ['AlmaLinux 8', 'AlmaLinux 9'], ['AlmaLinux 8 Beta']),
  }),
  detail: fc.record({
    status: one('final', 'final', 'final', 'retracted'),
    packages: fc.array(
      fc.record({
        name: one(...rpmNames),
        version: maybe(rpmVersion),
        architecture: maybe(one(...rpmArchitectures)),
        module: maybe(one(...modules)),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
});

const rpmPackage: fc.Arbitrary<InstalledPackage> = fc.record({
  format: fc.constant('rpm'),
  name: one(...rpmNames),
  version: one(...rpmVersions),
  epoch: maybe(one('0', '1', '2')),
  architecture: maybe(one('x86_64', 'i686', 'noarch')),
  module: fc.oneof(
    fc.constant({ kind: 'none' } as const),
    fc.constant({ kind: 'unstated' } as const),
    fc.record({
      kind: fc.constant('stream' as const),
      name: fc.constant('nodejs'),
      stream: one('16', '18'),
    }),
  ),
  source: fc.constant(null),
  stateKnown: fc.constant(true),
});

const debRecord = fc.record({
  key: fc.uuid(),
  row: one(...debSources).chain((pkgName) =>
    fc.record({
      osVersion: one('Debian 11', 'Debian 12'),
      pkgName: fc.constant(pkgName),
      pkgAndVersion: one(...debVersions).map((version) => `${pkgName} ${version}`),
    }),
  ),
  detail: fc.record({
    packages: fc.array(
      fc.record({
        name: one(...debNames),
        version: one(...debVersions),
        architecture: maybe(one('amd64')),
      }),
      { maxLength: 3 },
    ),
  }),
});

const notice = fc.record({
  key: fc.uuid(),
  row: fc.record({ type: one('USN', 'USN', 'LSN') }),
  detail: fc.record({
    releasePackages: fc.array(
      fc.record({
        name: one(...debNames, ...debSources),
        version: one(...debVersions),
        osVersion: one('Ubuntu 22.04 LTS', 'Ubuntu 22.04', 'Ubuntu 22.040', 'Ubuntu 20.04 LTS'),
        is_source: fc.boolean(),
        pocket: maybe(one('security', 'esm-infra', 'backports', 'livepatch', 'fips-updates')),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
});

const debPackage: fc.Arbitrary<InstalledPackage> = fc.record({
  format: fc.constant('deb'),
  name: one(...debNames),
  version: one(...debVersions),
  epoch: fc.constant(null),
  architecture: maybe(one('amd64', 'i386')),
  module: fc.constant({ kind: 'none' } as const),
  source: maybe(fc.record({ name: one(...debSources), version: maybe(one(...debVersions)) })),
  stateKnown: fc.constant(true),
});

const withoutSources = (packages: readonly InstalledPackage[]) =>
  packages.map((installed) => ({ ...installed, source: null }));

const buildRelease = (name: string, family: 'rpm' | 'deb', epochs = true): CataloguedRelease => ({
  names: [name],
  family,
  epochs,
  streams: true,
});

type RandomCatalogue = [
  name: string,
  record: fc.Arbitrary<StoredRecord>,
  installed: fc.Arbitrary<InstalledPackage>,
  release: CataloguedRelease,
];

test.each<RandomCatalogue>([
  ['rpm', rpmRecord, rpmPackage, buildRelease('AlmaLinux 8', 'rpm')],
  ['rpm without epochs', rpmRecord, rpmPackage, buildRelease('AlmaLinux 8', 'rpm', false)],
  ['Debian', debRecord, debPackage, buildRelease('Debian 11', 'deb')],
  ['Ubuntu', notice, debPackage, buildRelease('Ubuntu 22.04', 'deb')],
])(
  'finds in random catalogues the same fixes as reading all records: %s',
  (_, record, installed, release) => {
    let missing = 0;
    const holds = fc.property(
      fc.array(record, { maxLength: 6 }),
      fc.array(installed, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      maybe(one('5.4.17-1.el8uek.x86_64', '5.15.0-3.el8uek.x86_64')),
      (records, all, sources, kernel) => {
        const machine = { packages: sources ? all : withoutSources(all), kernel };
        const plain = findByReading(records, release, machine);
        missing += plain.size;
        expect(findByKeys(records, release, machine)).toEqual(plain);
      },
    );
    fc.assert(holds, { numRuns: 1000 });
    expect(missing).toBeGreaterThan(200);
  },
);

test('leaves unindexable versions to the exact comparison', () => {
  const long = `1.${'1.'.repeat(500)}1-1`;
  const records = ['2-1', `${long}9`, `1.${'1.'.repeat(500)}0-1`, `${'9'.repeat(90)}:1-1`].map(
    (version, index) => ({
      key: String(index),
      row: { osVersion: 'AlmaLinux 8' },
      detail: { packages: [{ name: 'bash', version }] },
    }),
  );
  const installed = { format: 'rpm', name: 'bash', version: long, epoch: '0' } as const;
  const machine = {
    packages: [
      {
        ...installed,
        architecture: null,
        module: { kind: 'none' },
        source: null,
        stateKnown: true,
      } as const,
    ],
    kernel: null,
  };
  const release = buildRelease('AlmaLinux 8', 'rpm');
  const found = findByKeys(records, release, machine);
  expect(found).toEqual(findByReading(records, release, machine));
  expect([...found.keys()]).toEqual(['0', '1', '3']);
});

test('indexes neither fixes that no machine can miss nor duplicates', () => {
  const packages = [
    { name: 'bash', version: '1-1', architecture: 'x86_64', module: 'a:1:2:3' },
    { name: 'bash', version: '1-1', architecture: 'x86_64', module: 'a:1:4:5' },
    { name: 'bash', version: '1-1', architecture: 'src' },
    { name: 'b\nash', version: '1-1' },
    { name: 'b'.repeat(256), version: '1-1' },
  ];
  const indexed = indexFixes({
    row: { osVersion: ['AlmaLinux 8', 'Unknown 8'] },
    detail: { packages },
  });
  expect(indexed.map(({ release, fixes }) => [release, fixes.length])).toEqual([
    ['AlmaLinux 8', 1],
  ]);
});
