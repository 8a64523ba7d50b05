/** The index of fixes must find exactly the fixes that reading all records finds. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  maybe,
  one,
  randomEpochVersion,
  randomModule,
  randomName,
  randomPackage,
  randomPocket,
  randomSource,
  randomVersion,
  withoutSources,
} from '../testing/random-packages.ts';
import type { CataloguedRelease } from './catalogued-release.ts';
import { indexFixes } from './indexed-fixes.ts';
import type { StoredRecord } from './stored-values.ts';
import { findByKeys, findByReading } from './testing/fixes-by-keys.ts';

const rpmRecord = fc.record({
  key: fc.uuid(),
  row: fc.record({
    osVersion: one<unknown>('AlmaLinux 8', ['AlmaLinux 8', 'AlmaLinux 9'], ['AlmaLinux 8 Beta']),
  }),
  detail: fc.record({
    status: one('final', 'final', 'final', 'retracted'),
    packages: fc.array(
      fc.record({
        name: randomName.rpm,
        version: maybe(randomEpochVersion),
        architecture: maybe(one('x86_64', 'i686', 'noarch', 'src')),
        module: maybe(randomModule),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
});

const debRecord = fc.record({
  key: fc.uuid(),
  row: randomSource.chain((pkgName) =>
    fc.record({
      osVersion: one('Debian 11', 'Debian 12'),
      pkgName: fc.constant(pkgName),
      pkgAndVersion: randomVersion.deb.map((version) => `${pkgName} ${version}`),
    }),
  ),
  detail: fc.record({
    packages: fc.array(
      fc.record({
        name: randomName.deb,
        version: randomVersion.deb,
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
        name: fc.oneof(randomName.deb, randomSource),
        version: randomVersion.deb,
        osVersion: one('Ubuntu 22.04 LTS', 'Ubuntu 22.04', 'Ubuntu 22.040', 'Ubuntu 20.04 LTS'),
        is_source: fc.boolean(),
        pocket: randomPocket,
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
});

const buildRelease = (name: string, family: 'rpm' | 'deb', epochs = true): CataloguedRelease => ({
  names: [name],
  family,
  epochs,
});

type RandomCatalogue = [
  name: string,
  record: fc.Arbitrary<StoredRecord>,
  release: CataloguedRelease,
];

test.each<RandomCatalogue>([
  ['rpm', rpmRecord, buildRelease('AlmaLinux 8', 'rpm')],
  ['rpm without epochs', rpmRecord, buildRelease('AlmaLinux 8', 'rpm', false)],
  ['Debian', debRecord, buildRelease('Debian 11', 'deb')],
  ['Ubuntu', notice, buildRelease('Ubuntu 22.04', 'deb')],
])('finds in random catalogues the same fixes as reading all records: %s', (_, record, release) => {
  let missing = 0;
  const holds = fc.property(
    fc.array(record, { maxLength: 6 }),
    fc.array(randomPackage(release.family), { minLength: 1, maxLength: 6 }),
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
});

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
