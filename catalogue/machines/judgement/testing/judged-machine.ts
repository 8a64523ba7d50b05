/** Judges one record on a machine that is read from tool output. */
import { expect } from 'vitest';
import { readInventory } from '../../inventory/read-inventory.ts';
import type { Machine } from '../../machine.ts';
import { channelOfFix } from '../build-channels.ts';
import { type CataloguedRelease, cataloguedRelease } from '../catalogued-release.ts';
import { canBeMissing } from '../indexed-fixes.ts';
import { InstalledPackages } from '../installed-packages.ts';
import { judgePackages } from '../judge-packages.ts';
import { type KnownPackage, knownPackages } from '../known-packages.ts';
import type { PackageFix, PackageRecord, RecordVerdict, WindowsUpdate } from '../machine-fixes.ts';
import { packageVerdicts } from '../package-verdicts.ts';
import { moduleOfFix } from '../rpm-judgement.ts';

/** A fix in which unstated properties have plain values. */
export type Fix = Partial<PackageFix> & Pick<PackageFix, 'name' | 'version'>;

export const buildRecord = (
  fixes: readonly Fix[],
  more: Partial<PackageRecord> = {},
): PackageRecord => ({
  key: 'one',
  retracted: false,
  livepatch: false,
  fixes: fixes.map((fix) => ({
    by: 'binary',
    architecture: null,
    module: null,
    pocket: null,
    ...fix,
  })),
  ...more,
});

export function verdict(inventory: string, record: PackageRecord): RecordVerdict {
  const { machine, unreadable } = readInventory(inventory);
  expect(unreadable).toEqual([]);
  const release = cataloguedRelease(machine);
  if (release === null) throw new Error('The inventory names no release of the catalogue');
  return judgePackages(machine, release, [record]).get('one') as RecordVerdict;
}

/** Judges the packages of a machine, and each record. */
export function judgeItems(
  machine: Pick<Machine, 'packages' | 'kernel' | 'distribution' | 'release'>,
  records: readonly PackageRecord[],
  unfixed: readonly string[] = [],
) {
  const release = cataloguedRelease(machine);
  if (release === null) throw new Error('The inventory names no release of the catalogue');
  const verdicts = judgePackages(machine, release, records);
  const items = packageVerdicts({
    packages: machine.packages,
    installed: new InstalledPackages(machine.packages),
    release: release.names[0] ?? '',
    records: verdicts.values(),
    known: packagesOfRecords(records, release.family),
    unfixed: new Set(unfixed),
  });
  return { release, verdicts, items };
}

/** A cumulative update of no build, with the given properties. */
export const buildUpdate = (kb: string, more: Partial<WindowsUpdate> = {}): WindowsUpdate => ({
  key: kb,
  kb,
  line: 'Cumulative update',
  fixedBuilds: [],
  supersededBy: [],
  releaseDate: null,
  ...more,
});

/** Formats a verdict: `missing: bash 1 → 2`, with the reason behind the kind. */
export function formatVerdict(of: RecordVerdict): string {
  if (of.kind === 'notMissing') return of.kind;
  if (of.kind === 'notJudged') return `notJudged ${of.reason}`;
  const evidence = of.evidence.map(
    ({ name, installed, fixed }) => `${name} ${installed} → ${fixed}`,
  );
  const kind = of.kind === 'uncertain' ? `uncertain ${of.reason}` : of.kind;
  return `${kind}: ${evidence.join(', ')}`;
}

/** Collects packages from complete records. */
export const packagesOfRecords = (
  records: readonly PackageRecord[],
  family: CataloguedRelease['family'],
): ReadonlyMap<string, KnownPackage> =>
  knownPackages(
    records.flatMap(({ fixes, retracted, livepatch }) =>
      fixes.map((fix) => ({
        name: fix.name,
        by: fix.by,
        variants: `${fix.architecture ?? ''} ${(family === 'rpm' ? moduleOfFix(fix) : null) ?? ''}`,
        channels:
          retracted || livepatch || !canBeMissing(fix, family)
            ? []
            : [{ architecture: fix.architecture ?? '', of: channelOfFix(fix, family) }],
      })),
    ),
  );
