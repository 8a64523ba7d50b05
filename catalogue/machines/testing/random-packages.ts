/** Random installed packages and fixes, with names and versions that meet. */
import * as fc from 'fast-check';
import type { PackageFix, PackageRecord } from '../judgement/machine-fixes.ts';
import type { InstalledPackage } from '../machine.ts';

export const one = fc.constantFrom;
export const maybe = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null });
const names = one(
  'bash',
  'kernel',
  'kernel-uek',
  'openssl',
  'nodejs',
  'linux-image-5.10.0-8-amd64',
  'linux-image-5.10.0-9-amd64',
);
const versions = one(
  '1.0-1.el8',
  '1.0-2.el8',
  '2.0-1.el9',
  '1.0-3',
  '1.0-4~bpo12+1',
  '1.0-1.module_el8.6.0+1',
  '5.15.0-3.el8uek',
  '1.0-2+deb12u1',
);
const architectures = maybe(one('x86_64', 'aarch64', 'noarch', 'i686'));
const epochs = maybe(one('0', '1'));

/** A package as an inventory of the format lists it. */
export const randomPackage = (format: 'rpm' | 'deb'): fc.Arbitrary<InstalledPackage> =>
  fc
    .record({
      name: names,
      version: versions,
      epoch: epochs,
      architecture: architectures,
      cut: fc.boolean(),
      source: maybe(one('linux', 'openssl')),
    })
    .map(({ cut, source, epoch, ...rest }) => ({
      ...rest,
      format,
      epoch: format === 'rpm' ? epoch : null,
      module: { kind: 'unstated' as const },
      source: source === null || format === 'rpm' ? null : { name: source, version: null },
      stateKnown: true,
      ...(cut && { cut: true as const }),
    }));

const fix: fc.Arbitrary<PackageFix> = fc.record({
  by: one<'binary' | 'source'>('binary', 'source'),
  name: fc.oneof(names, one('linux')),
  version: fc
    .tuple(epochs, versions)
    .map(([epoch, version]) => (epoch === null ? version : `${epoch}:${version}`)),
  architecture: architectures,
  module: maybe(one('nodejs:18')),
  pocket: maybe(one('security', 'esm-infra')),
});

/** A record with up to four fixes. */
export const randomRecord: fc.Arbitrary<PackageRecord> = fc.record({
  key: fc.uuid(),
  fixes: fc.array(fix, { minLength: 1, maxLength: 4 }),
  retracted: fc.boolean(),
  livepatch: fc.boolean(),
});
