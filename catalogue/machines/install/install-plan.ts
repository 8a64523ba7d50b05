/** The smallest set of records that closes everything a machine misses. */
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
  /** Of the packages that it brings to the newest version that is missing. */
  readonly packages: readonly PackageToInstall[];
}

/**
 * Each package needs its highest fix only. Of the records that bring one, those are taken first that bring most: a set that is small,
 * and that never holds a record all of whose packages others bring.
 */
export function planPackages(
  missing: readonly MissingRecord[],
  format: 'rpm' | 'deb',
): readonly PlannedRecord[] {
  const compare = format === 'rpm' ? compareRpmVersions : compareDpkgVersions;
  const all = missing.flatMap(({ evidence }) => evidence);
  // Versions of a binary package and of its source are never compared with each other.
  const withoutSource = new Set(
    all.filter(({ source }) => source === undefined).map((one) => targetOf(one)),
  );
  const sourceOf = (one: FixEvidence) =>
    withoutSource.has(targetOf(one)) ? undefined : one.source?.fixed;
  const versionOf = (one: FixEvidence) => sourceOf(one) ?? one.fixed;
  const spaceOf = (one: FixEvidence) => {
    const isOfSource = sourceOf(one) !== undefined || one.fixed === one.source?.fixed;
    return `${targetOf(one)} ${isOfSource}`;
  };
  const highest = new Map<string, string>();
  for (const one of all) {
    const known = highest.get(spaceOf(one));
    if (known === undefined || compare(known, versionOf(one)) < 0)
      highest.set(spaceOf(one), versionOf(one));
  }
  const brings = missing.map(({ key, evidence }) => {
    const best = evidence.filter(
      (one) => compare(versionOf(one), highest.get(spaceOf(one)) ?? versionOf(one)) === 0,
    );
    return { key, evidence: [...new Map(best.map((one) => [targetOf(one), one])).values()] };
  });
  return smallestCover(brings).map(({ key, evidence }) => ({
    key,
    packages: evidence.map(({ install }) => install).filter((one) => one !== null),
  }));
}

const targetOf = ({ name, architecture }: FixEvidence) => `${name} ${architecture ?? ''}`;

/** Greedy, most packages first; then without what the later ones made needless. */
function smallestCover(records: readonly MissingRecord[]): readonly MissingRecord[] {
  const bySize = records
    .toSorted((a, b) => b.evidence.length - a.evidence.length)
    .map((record) => ({ record, open: new Set(record.evidence.map(targetOf)) }));
  const bringers = Map.groupBy(
    bySize.flatMap((one) => [...one.open].map((target) => ({ target, one }))),
    ({ target }) => target,
  );
  const taken: MissingRecord[] = [];
  for (;;) {
    const best = mostOf(bySize);
    if (best === null) return withoutNeedless(taken);
    taken.push(best.record);
    for (const target of best.open)
      for (const { one } of bringers.get(target) ?? []) one.open.delete(target);
  }
}

interface Candidate {
  readonly record: MissingRecord;
  /** What it would bring that nothing taken so far brings. */
  readonly open: Set<string>;
}

function mostOf(bySize: readonly Candidate[]): Candidate | null {
  let [best, most]: [Candidate | null, number] = [null, 0];
  for (const one of bySize) {
    if (one.record.evidence.length <= most) break;
    if (one.open.size > most) [best, most] = [one, one.open.size];
  }
  return best;
}

function withoutNeedless(taken: readonly MissingRecord[]): readonly MissingRecord[] {
  const counts = new Map<string, number>();
  for (const one of taken.flatMap(({ evidence }) => evidence))
    counts.set(targetOf(one), (counts.get(targetOf(one)) ?? 0) + 1);
  return taken.filter(({ evidence }) => {
    const needless = evidence.every((one) => (counts.get(targetOf(one)) ?? 0) > 1);
    if (needless)
      for (const one of evidence) counts.set(targetOf(one), (counts.get(targetOf(one)) ?? 0) - 1);
    return !needless;
  });
}

/**
 * The missing updates of a Windows product that no other missing one holds: of the lines that hold all earlier fixes the highest build,
 * instead of security-only and Internet Explorer updates the rollup, of the others what no missing one replaces.
 */
export function planWindows(missing: readonly WindowsUpdate[]): readonly WindowsUpdate[] {
  const kbs = new Set(missing.map(({ kb }) => kb));
  const rest = missing.filter(({ supersededBy }) => !supersededBy.some((kb) => kbs.has(kb)));
  const rollup = rest.some(({ line }) => line === 'Monthly rollup');
  const held = (update: WindowsUpdate) =>
    (rollup && ['Security only', 'Internet Explorer'].includes(update.line)) ||
    rest.some((other) => holds(other, update));
  return oncePerKb(rest.filter((update) => !held(update)));
}

const heldLines: readonly string[] = [
  'Cumulative update',
  'Monthly rollup',
  'Out-of-band',
  'Security only',
  'Security update',
  'Standalone update',
  'Hotpatch',
];

/** By the builds of one branch, of the lines that a cumulative update holds. */
function holds(newer: WindowsUpdate, older: WindowsUpdate): boolean {
  if (!['Cumulative update', 'Monthly rollup'].includes(newer.line)) return false;
  if (!heldLines.includes(older.line)) return false;
  return older.fixedBuilds.some((text) => {
    const build = windowsBuild(text);
    if (build === null || build.revision === null) return false;
    return (revisionOn(build.branch, newer.fixedBuilds) ?? 0) > build.revision;
  });
}

function oncePerKb(updates: readonly WindowsUpdate[]): readonly WindowsUpdate[] {
  return [...new Map(updates.map((update) => [update.kb, update])).values()];
}
