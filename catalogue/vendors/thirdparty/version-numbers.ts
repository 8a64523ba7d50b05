/** Versions of applications: the same one is written 26.02 here and 26.2 there, 7.23 here and 7.23.0 there. */

export interface VersionNumbers {
  /** The first numbers that are joined by dots: 154, 0 of 154.0-2. */
  readonly main: readonly bigint[];
  /** What stands behind them: a packager's revision, a build, the version of an engine. */
  readonly rest: readonly bigint[];
}

export function versionNumbers(version: string): VersionNumbers {
  const main = /\d+(?:\.\d+)*/.exec(version);
  if (main === null) return { main: [], rest: [] };
  return { main: numbersIn(main[0]), rest: numbersIn(version.slice(main.index + main[0].length)) };
}

function numbersIn(text: string): bigint[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => BigInt(digits));
}

/**
 * Number by number, a missing one counting as zero; what is behind the main numbers decides only between equal ones: 154.0-2 is older
 * than 154.0.1-1. Negative when the first is older.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [versionNumbers(one), versionNumbers(other)];
  return compareNumbers(left.main, right.main) || compareNumbers(left.rest, right.rest);
}

export function compareNumbers(left: readonly bigint[], right: readonly bigint[]): number {
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    const [ours, theirs] = [left[place] ?? 0n, right[place] ?? 0n];
    if (ours !== theirs) return ours < theirs ? -1 : 1;
  }
  return 0;
}

/** What a version may have been before an index took it for a number: 7.1 was 7.10 or 7.1.0. */
export function candidateVersions(version: string, others: Iterable<string>): string[] {
  const sameElsewhere = [...others].filter((other) => compareVersions(other, version) === 0);
  const grown = /^\d+(?:\.\d+)*$/.test(version)
    ? [`${version}.0`, /\.\d$/.test(version) ? `${version}0` : null]
    : [];
  return [
    ...new Set([version, ...sameElsewhere, ...grown.filter((candidate) => candidate !== null)]),
  ];
}

/**
 * Whether an address tells one version from another. Most of the version's numbers must stand in it, one behind the other, joined by
 * a dot, a dash, an underscore or nothing: 7z2602-x64.exe is of 26.02, v1.93.136 of 151.1.93.136.
 */
export function namesVersion(address: string, version: string): boolean {
  const segments = version.match(/\d+/g) ?? [];
  const significant = trimmedZeros(segments);
  const text = decoded(address);
  const needed = Math.max(Math.min(2, segments.length), significant.length - 1);
  for (const run of [...runsOf(segments, needed), ...runsOf(significant, needed)]) {
    const separated = new RegExp(`(?<!\\d)${run.join('[._-]')}(?!\\d)`);
    if (separated.test(text)) return true;
    const joined = run.join('');
    if (joined.length >= 3 && new RegExp(`(?<!\\d)${joined}(?!\\d)`).test(text)) return true;
  }
  return false;
}

/** From the beginning, longest first, or to the end: there two numbers alone are of any version. */
function runsOf(segments: readonly string[], needed: number): (readonly string[])[] {
  const runs = [];
  for (let length = segments.length; length >= Math.max(needed, 1); length -= 1) {
    runs.push(segments.slice(0, length));
    if (length >= 3) runs.push(segments.slice(segments.length - length));
  }
  return runs;
}

function trimmedZeros(segments: readonly string[]): readonly string[] {
  const last = segments.findLastIndex((segment) => /[1-9]/.test(segment));
  return segments.slice(0, Math.max(last + 1, 1));
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
