/** Judges one record on a machine that is read from tool output. */
import { expect } from 'vitest';
import { readInventory } from '../../inventory/read-inventory.ts';
import { cataloguedRelease } from '../catalogued-release.ts';
import { judgePackages } from '../judge-packages.ts';
import type { PackageFix, PackageRecord, RecordVerdict } from '../machine-fixes.ts';

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
