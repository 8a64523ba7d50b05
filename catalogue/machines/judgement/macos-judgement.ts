/** Judges whether a Mac misses a release of macOS: a newer one of its major version, by version and then by build. */
import type { Machine } from '../machine.ts';
import type { MacRelease, RecordVerdict } from './machine-fixes.ts';

/** The name of the system in evidence. */
export const macName = 'macOS';

/** Treats releases of other major versions as upgrades, about which an administrator decides: they are not missing. */
export function judgeMacRelease(
  release: MacRelease,
  machine: Pick<Machine, 'release' | 'build'>,
): RecordVerdict {
  if (release.version === null) return { kind: 'notJudged', reason: 'componentNotShown' };
  const [installed, offered] = [numbers(machine.release ?? ''), numbers(release.version)];
  if (installed === null || offered === null)
    return { kind: 'notJudged', reason: 'versionsNotComparable' };
  if (getMajor(installed) !== getMajor(offered)) return { kind: 'notMissing' };
  const order = compareNumbers(installed, offered) || compareBuilds(machine.build, release.build);
  if (order >= 0) return { kind: 'notMissing' };
  return {
    kind: 'missing',
    evidence: [
      {
        name: macName,
        architecture: null,
        installed: formatRelease(machine.release ?? '', machine.build),
        fixed: formatRelease(release.version, release.build),
        install: null,
      },
    ],
  };
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

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Compares builds such as 23J423: the system, a letter for the release, a count; a trailing letter marks a background security
 * improvement. Counts of different thousands belong to different models of Mac and cannot be compared.
 */
function compareBuilds(a: string | null, b: string | null): number {
  const [left, right] = [buildParts(a), buildParts(b)];
  if (left === null || right === null) return 0;
  const release = left.system - right.system || compareText(left.letter, right.letter);
  if (release !== 0) return release;
  if (Math.floor(left.count / 1000) !== Math.floor(right.count / 1000)) return 0;
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
