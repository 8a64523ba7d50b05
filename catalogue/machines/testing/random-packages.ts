/** Random installed packages and fixes, with names and versions that meet. */
import * as fc from 'fast-check';
import type { PackageFix, PackageRecord } from '../judgement/machine-fixes.ts';
import type { InstalledPackage } from '../machine.ts';

export type Format = InstalledPackage['format'];

export const one = fc.constantFrom;
export const maybe = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null });

const rpmNames = ['bash', 'kernel', 'kernel-uek', 'openssl', 'openssl-libs', 'nodejs', 'glibc'];
const debNames = [
  'bash',
  'openssl',
  'libssl3',
  'linux-image-5.10.0-8-amd64',
  'linux-image-5.10.0-9-amd64',
  'linux-image-5.4.0-99-generic',
  'linux-headers-5.10.0-9-amd64',
];
export const randomName = { rpm: one(...rpmNames), deb: one(...debNames) };
export const randomSource = one('bash', 'openssl', 'linux', 'linux-signed-amd64');
export const randomEpoch = maybe(one('0', '1', '2'));
export const randomVersion = {
  rpm: one(
    '1.0-1.el8',
    '1.0-2.el8',
    '1.0~rc1-1.el8',
    '1.0^git1-1.el8',
    '2.0-1.el9',
    '5.4.17-1.el8uek',
    '5.4.17-9.el8uek',
    '5.15.0-3.el8uek',
    '16.1-1.module_el8.6.0+1',
    '18.0-2.module_el8.6.0+1',
    '1.0-1.ksplice1.el8',
    '1.0-2_fips.el8',
  ),
  deb: one(
    '1.0-1',
    '1.0-1+b1',
    '1:0.9-1',
    '1.0~rc1-1',
    '1.0-1+esm1',
    '1.0-4~bpo12+1',
    '1.0-2+deb12u1',
    '1.1-1fips1',
    '1.1',
    '0',
    '1.1-0',
  ),
};
export const randomModule = one('nodejs:16:8:a', 'nodejs:18', 'nodejs');
export const randomPocket = maybe(
  one('security', 'esm-infra', 'backports', 'livepatch', 'fips-updates'),
);

/** An RPM version behind its epoch, as records write it. */
export const randomEpochVersion = fc
  .tuple(randomEpoch, randomVersion.rpm)
  .map(([epoch, version]) => (epoch === null ? version : `${epoch}:${version}`));

const installedModule: fc.Arbitrary<InstalledPackage['module']> = fc.oneof(
  fc.constant({ kind: 'none' } as const),
  fc.constant({ kind: 'unstated' } as const),
  fc.record({
    kind: fc.constant('stream' as const),
    name: fc.constant('nodejs'),
    stream: one('16', '18'),
  }),
);

/** A package as an inventory of the format lists it. */
export const randomPackage = (format: Format): fc.Arbitrary<InstalledPackage> =>
  format === 'rpm'
    ? fc.record({
        format: fc.constant(format),
        name: randomName.rpm,
        version: randomVersion.rpm,
        epoch: randomEpoch,
        architecture: maybe(one('x86_64', 'aarch64', 'noarch', 'i686')),
        module: installedModule,
        source: fc.constant(null),
        stateKnown: fc.constant(true),
      })
    : fc.record({
        format: fc.constant(format),
        name: randomName.deb,
        version: randomVersion.deb,
        epoch: fc.constant(null),
        architecture: maybe(one('amd64', 'i386', 'all')),
        module: fc.constant({ kind: 'none' } as const),
        source: maybe(fc.record({ name: randomSource, version: maybe(randomVersion.deb) })),
        stateKnown: fc.boolean(),
      });

/** A package of which a screen may have cut the row. */
export const randomCutPackage = (format: Format): fc.Arbitrary<InstalledPackage> =>
  fc
    .tuple(randomPackage(format), fc.boolean())
    .map(([found, cut]) => ({ ...found, ...(cut && { cut: true as const }) }));

/** Leaves out the sources, as the inventories of some tools do. */
export const withoutSources = (packages: readonly InstalledPackage[]): InstalledPackage[] =>
  packages.map((installed) => ({ ...installed, source: null }));

const randomFix = (format: Format): fc.Arbitrary<PackageFix> =>
  fc.record({
    by: one<'binary' | 'source'>('binary', 'source'),
    name: format === 'rpm' ? randomName.rpm : fc.oneof(randomName.deb, randomSource),
    version: format === 'rpm' ? randomEpochVersion : randomVersion.deb,
    architecture: maybe(one('x86_64', 'aarch64', 'noarch', 'i686')),
    module: maybe(randomModule),
    pocket: randomPocket,
  });

const rarely = one(false, false, false, false, false, true);

/** A record with up to four fixes. */
export const randomRecord = (format: Format): fc.Arbitrary<PackageRecord> =>
  fc.record({
    key: fc.uuid(),
    fixes: fc.array(randomFix(format), { minLength: 1, maxLength: 4 }),
    retracted: rarely,
    livepatch: rarely,
  });
