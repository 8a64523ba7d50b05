/** Plans a small set of records that fixes everything a machine misses. */
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import { compareRpmVersions } from '../../schemas/rpm-version.ts';
import type { FixEvidence, PackageToInstall, WindowsUpdate } from '../judgement/machine-fixes.ts';
import { revisionOn, windowsBuild } from '../judgement/windows-builds.ts';

/** A record that the machine misses, with the packages that lack it. */
export interface MissingRecord {
  readonly key: string;
  readonly evidence: readonly FixEvidence[];
}

export interface PlannedRecord {
  readonly key: string;
  /** The packages that the record raises to the newest missing version. */
  readonly packages: readonly PackageToInstall[];
}

/**
 * Selects records greedily: each package needs only its highest fix, and records that fix most packages come first. The result is
 * small and contains no record all of whose packages other records fix.
 */
export function planPackages(
  missing: readonly MissingRecord[],
  format: 'rpm' | 'deb',
): readonly PlannedRecord[] {
  const compare = format === 'rpm' ? compareRpmVersions : compareDpkgVersions;
  const all = missing.flatMap(({ evidence }) => evidence);
  // A binary package's version is never compared with a source package's.
  const withoutSource = new Set(
    all.filter(({ source }) => source === undefined).map((one) => getTarget(one)),
  );
  const getSourceVersion = (one: FixEvidence) =>
    withoutSource.has(getTarget(one)) ? undefined : one.source?.fixed;
  const getVersion = (one: FixEvidence) => getSourceVersion(one) ?? one.fixed;
  const getVersionSpace = (one: FixEvidence) => {
    const isOfSource = getSourceVersion(one) !== undefined || one.fixed === one.source?.fixed;
    return `${getTarget(one)} ${isOfSource}`;
  };
  const highest = new Map<string, string>();
  for (const one of all) {
    const known = highest.get(getVersionSpace(one));
    if (known === undefined || compare(known, getVersion(one)) < 0)
      highest.set(getVersionSpace(one), getVersion(one));
  }
  const brings = missing.map(({ key, evidence }) => {
    const best = evidence.filter(
      (one) => compare(getVersion(one), highest.get(getVersionSpace(one)) ?? getVersion(one)) === 0,
    );
    return { key, evidence: [...new Map(best.map((one) => [getTarget(one), one])).values()] };
  });
  return smallestCover(brings).map(({ key, evidence }) => ({
    key,
    packages: evidence.map(({ install }) => install).filter((one) => one !== null),
  }));
}

const getTarget = ({ name, architecture }: FixEvidence) => `${name} ${architecture ?? ''}`;

/** Selects the records with most open packages first, then drops those that later ones made redundant. */
function smallestCover(records: readonly MissingRecord[]): readonly MissingRecord[] {
  const bySize = records
    .toSorted((a, b) => b.evidence.length - a.evidence.length)
    .map((record) => ({ record, open: new Set(record.evidence.map(getTarget)) }));
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
    counts.set(getTarget(one), (counts.get(getTarget(one)) ?? 0) + 1);
  return taken.filter(({ evidence }) => {
    const needless = evidence.every((one) => (counts.get(getTarget(one)) ?? 0) > 1);
    if (needless)
      for (const one of evidence) counts.set(getTarget(one), (counts.get(getTarget(one)) ?? 0) - 1);
    return !needless;
  });
}

/**
 * Plans the missing updates of a Windows product that no other missing update includes: the highest build of cumulative lines,
 * the rollup instead of security-only and Internet Explorer updates, and otherwise updates that no missing one replaces.
 */
export function planWindows(missing: readonly WindowsUpdate[]): readonly WindowsUpdate[] {
  const kbs = new Set(missing.map(({ kb }) => kb));
  const rest = missing.filter(({ supersededBy }) => !supersededBy.some((kb) => kbs.has(kb)));
  const rollup = rest.some(({ line }) => line === 'Monthly rollup');
  const isIncluded = (update: WindowsUpdate) =>
    (rollup && ['Security only', 'Internet Explorer'].includes(update.line)) ||
    rest.some((other) => includes(other, update));
  return oncePerKb(rest.filter((update) => !isIncluded(update)));
}

const includedLines: readonly string[] = [
  'Cumulative update',
  'Monthly rollup',
  'Out-of-band',
  'Security only',
  'Security update',
  'Standalone update',
  'Hotpatch',
];

/** Compares builds of one branch, for lines that a cumulative update includes. */
function includes(newer: WindowsUpdate, older: WindowsUpdate): boolean {
  if (!['Cumulative update', 'Monthly rollup'].includes(newer.line)) return false;
  if (!includedLines.includes(older.line)) return false;
  return older.fixedBuilds.some((text) => {
    const build = windowsBuild(text);
    if (build === null || build.revision === null) return false;
    return (revisionOn(build.branch, newer.fixedBuilds) ?? 0) > build.revision;
  });
}

function oncePerKb(updates: readonly WindowsUpdate[]): readonly WindowsUpdate[] {
  return [...new Map(updates.map((update) => [update.kb, update])).values()];
}
