/** Judges whether a Mac misses a release of macOS: a newer one of its major version, by version and then by build. */
import type { Machine } from '../machine.ts';
import type { MacRelease, RecordVerdict } from './machine-fixes.ts';
import { notJudged, type Verdict } from './verdict.ts';

/** The name of the system in evidence. */
export const macName = 'macOS';

/** Treats releases of other major versions as upgrades, about which an administrator decides: they are not missing. */
export function judgeMacRelease(release: MacRelease, machine: MacMachine): RecordVerdict {
  if (release.version === null) return { kind: 'notJudged', reason: 'componentNotShown' };
  const [installed, offered] = [numbers(machine.release ?? ''), numbers(release.version)];
  const major = installedMajor(machine);
  if (installed === null || offered === null || major === null)
    return { kind: 'notJudged', reason: 'versionsNotComparable' };
  if (major !== getMajor(offered)) return { kind: 'notMissing' };
  const byVersion = isCompatible(installed) ? 0 : compareNumbers(installed, offered);
  const byBuild = compareBuilds(machine.build, release.build);
  const needsBuild = isCompatible(installed) || release.isSecurityUpdate === true;
  const evidence = [
    {
      name: macName,
      architecture: null,
      installed: formatRelease(machine.release ?? '', machine.build),
      fixed: formatRelease(release.version, release.build),
      install: null,
    },
  ];
  if (needsBuild && byVersion <= 0 && byBuild === null)
    return { kind: 'uncertain', reason: 'updateWithoutBuild', evidence };
  return (byVersion || (byBuild ?? 0)) >= 0
    ? { kind: 'notMissing' }
    : { kind: 'missing', evidence };
}

type MacMachine = Pick<Machine, 'release' | 'build'>;

/**
 * Returns the major version whose releases the Mac is compared with: `macOS 15`. Null when it is unknown, and for a build that cannot
 * be ordered: a beta, whose version is that of the coming release.
 */
export function macSystem(machine: MacMachine): string | null {
  const major = installedMajor(machine);
  const isOrderable = machine.build === null || buildParts(machine.build) !== null;
  return major === null || !isOrderable || isBeta.test(machine.build ?? '')
    ? null
    : `${macName} ${major}`;
}

/** 25E5218f; a background security improvement is 22F770820b. */
const isBeta = /^\d{1,3}[A-Z][5-9]\d{3}[a-z]$/;

/** Returns whether the catalogue has a release of the system that `macSystem` returns. */
export const hasMacSystem = (releases: readonly MacRelease[], system: string | null): boolean =>
  releases.some(({ version }) => version !== null && majorMac(version) === system);

export function macVerdict(
  machine: MacMachine,
  releases: readonly MacRelease[],
  records: ReadonlyMap<string, RecordVerdict>,
): Verdict {
  const verdicts = [...records.values()];
  if (verdicts.some(({ kind }) => kind === 'missing')) return { kind: 'missing' };
  const system = macSystem(machine);
  if (system === null || !hasMacSystem(releases, system)) return notJudged('releaseNotInCatalogue');
  const uncertain = verdicts.find((one) => one.kind === 'uncertain');
  return uncertain === undefined
    ? { kind: 'fixed', comparedWith: macName }
    : { kind: 'uncertain', reason: uncertain.reason };
}

const formatRelease = (version: string, build: string | null) =>
  build === null ? version : `${version} (${build})`;

function numbers(version: string): readonly number[] | null {
  return /^\d{1,4}(?:\.\d{1,6}){0,4}$/.test(version) ? version.split('.').map(Number) : null;
}

/** Returns macOS 15 for 15.6, and macOS 10.15 for 10.15.7; null for another form. */
export function majorMac(version: string): string | null {
  const known = numbers(version);
  return known === null ? null : `${macName} ${getMajor(known)}`;
}

/** 10.15 and 10.14 are major versions, like 14 and 15. */
const getMajor = ([first = 0, second = 0]: readonly number[]) =>
  first === 10 ? `10.${second}` : String(first);

/** macOS 11 and later print 10.16 for programs that expect 10.15 or earlier. */
const isCompatible = ([first, second]: readonly number[]) => first === 10 && second === 16;

/** The first number of the build counts on with every major version: 20 is of macOS 11, 24 of macOS 15, 25 of macOS 26. */
function installedMajor({ release, build }: MacMachine): string | null {
  const known = numbers(release ?? '');
  if (known === null || !isCompatible(known)) return known === null ? null : getMajor(known);
  const system = buildParts(build)?.system ?? 0;
  return system < 20 ? null : String(system < 25 ? system - 9 : system + 1);
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Compares builds such as 23J423: the system, a letter for the release, a count; a trailing letter marks a background security
 * improvement. Returns null for what cannot be compared: counts of different thousands belong to different models of Mac.
 */
function compareBuilds(a: string | null, b: string | null): number | null {
  const [left, right] = [buildParts(a), buildParts(b)];
  if (left === null || right === null) return null;
  const release = left.system - right.system || compareText(left.letter, right.letter);
  if (release !== 0) return release;
  if (Math.floor(left.count / 1000) !== Math.floor(right.count / 1000)) return null;
  return left.count - right.count || compareText(left.suffix, right.suffix);
}

function buildParts(build: string | null) {
  const [, system, letter, count, suffix] =
    /^(\d{1,3})([A-Z])(\d{1,6})([a-z]?)$/.exec(build ?? '') ?? [];
  if (system === undefined || letter === undefined || count === undefined) return null;
  return { system: Number(system), letter, count: Number(count), suffix: suffix ?? '' };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
