/** Plans a small set of records that fixes everything a machine misses. */
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import { compareRpmVersions } from '../../schemas/rpm-version.ts';
import type { FixEvidence, PackageToInstall } from '../judgement/machine-fixes.ts';
import { byKey, type InstallStep, toTarget } from './record-closers.ts';

/** A record that the machine misses, with the packages that lack it. */
export interface MissingRecord {
  readonly key: string;
  readonly evidence: readonly FixEvidence[];
}

export interface PlannedRecord extends InstallStep {
  /** The packages that the record raises to the newest missing version. */
  readonly packages: readonly PackageToInstall[];
}

/**
 * Selects records greedily: each package needs only its highest fix, and records that fix most packages come first. The result is
 * small, contains no record all of whose packages other records fix, and does not depend on the order of the records.
 */
export function planPackages(
  missing: readonly MissingRecord[],
  format: 'rpm' | 'deb',
): readonly PlannedRecord[] {
  const compare = format === 'rpm' ? compareRpmVersions : compareDpkgVersions;
  const all = missing.flatMap(({ evidence }) => evidence);
  // A binary package's version is never compared with a source package's.
  const withoutSource = new Set(
    all.filter(({ source }) => source === undefined).map((one) => toTarget(one)),
  );
  const getSourceVersion = (one: FixEvidence) =>
    withoutSource.has(toTarget(one)) ? undefined : one.source?.fixed;
  const getVersion = (one: FixEvidence) => getSourceVersion(one) ?? one.fixed;
  const getVersionSpace = (one: FixEvidence) => {
    const isOfSource = getSourceVersion(one) !== undefined || one.fixed === one.source?.fixed;
    return `${toTarget(one)} ${isOfSource}`;
  };
  const highest = new Map<string, string>();
  for (const one of all) {
    const known = highest.get(getVersionSpace(one));
    if (known === undefined || compare(known, getVersion(one)) < 0)
      highest.set(getVersionSpace(one), getVersion(one));
  }
  const brings = missing.toSorted(byKey).map(({ key, evidence }) => {
    const best = evidence.filter(
      (one) => compare(getVersion(one), highest.get(getVersionSpace(one)) ?? getVersion(one)) === 0,
    );
    return { key, evidence: [...new Map(best.map((one) => [toTarget(one), one])).values()] };
  });
  return smallestCover(brings).map(({ key, evidence }) => ({
    key,
    targets: evidence.map(toTarget),
    packages: evidence.map(({ install }) => install).filter((one) => one !== null),
  }));
}

/** Selects the records with most open packages first, then drops those that later ones made redundant. */
function smallestCover(records: readonly MissingRecord[]): readonly MissingRecord[] {
  const bySize = records
    .toSorted((a, b) => b.evidence.length - a.evidence.length)
    .map((record) => ({ record, open: new Set(record.evidence.map(toTarget)) }));
  const bringers = Map.groupBy(
    bySize.flatMap((one) => [...one.open].map((target) => ({ target, one }))),
    ({ target }) => target,
  );
  const taken: MissingRecord[] = [];
  for (;;) {
    const best = findLargest(bySize);
    if (best === null) return dropRedundant(taken);
    taken.push(best.record);
    for (const target of best.open)
      for (const { one } of bringers.get(target) ?? []) one.open.delete(target);
  }
}

interface Candidate {
  readonly record: MissingRecord;
  /** Packages that the record fixes and no selected record fixes yet. */
  readonly open: Set<string>;
}

function findLargest(bySize: readonly Candidate[]): Candidate | null {
  let [best, most]: [Candidate | null, number] = [null, 0];
  for (const one of bySize) {
    if (one.record.evidence.length <= most) break;
    if (one.open.size > most) [best, most] = [one, one.open.size];
  }
  return best;
}

function dropRedundant(taken: readonly MissingRecord[]): readonly MissingRecord[] {
  const counts = new Map<string, number>();
  for (const one of taken.flatMap(({ evidence }) => evidence))
    counts.set(toTarget(one), (counts.get(toTarget(one)) ?? 0) + 1);
  return taken.filter(({ evidence }) => {
    const needless = evidence.every((one) => (counts.get(toTarget(one)) ?? 0) > 1);
    if (needless)
      for (const one of evidence) counts.set(toTarget(one), (counts.get(toTarget(one)) ?? 0) - 1);
    return !needless;
  });
}
