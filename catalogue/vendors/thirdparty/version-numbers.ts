/** Versions of applications, compared by their numbers: 26.02 equals 26.2, and 7.23 equals 7.23.0. */

export interface VersionNumbers {
  /** The first numbers joined by dots: 154 and 0 of 154.0-2. */
  readonly main: readonly bigint[];
  /** The numbers after them: a packager's revision, a build, the version of an engine. */
  readonly rest: readonly bigint[];
}

export function parseVersionNumbers(version: string): VersionNumbers {
  const main = /\d+(?:\.\d+)*/.exec(version);
  if (main === null) return { main: [], rest: [] };
  return {
    main: parseNumbers(main[0]),
    rest: parseNumbers(version.slice(main.index + main[0].length)),
  };
}

function parseNumbers(text: string): bigint[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => BigInt(digits));
}

/**
 * Compares number by number, where a missing number is zero. Numbers after the main ones decide only between equal ones: 154.0-2 is older
 * than 154.0.1-1. Returns a negative number when `a` is older.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersionNumbers(a), parseVersionNumbers(b)];
  return compareNumbers(left.main, right.main) || compareNumbers(left.rest, right.rest);
}

export function compareNumbers(left: readonly bigint[], right: readonly bigint[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [ours, theirs] = [left[index] ?? 0n, right[index] ?? 0n];
    if (ours !== theirs) return ours < theirs ? -1 : 1;
  }
  return 0;
}

/** Returns possible original spellings of a version that an index read as a number: 7.1 for 7.10 or 7.1.0. */
export function listCandidateVersions(version: string, others: Iterable<string>): string[] {
  const sameElsewhere = [...others].filter((other) => compareVersions(other, version) === 0);
  const extended = /^\d+(?:\.\d+)*$/.test(version)
    ? [`${version}.0`, /\.\d$/.test(version) ? `${version}0` : null]
    : [];
  return [
    ...new Set([version, ...sameElsewhere, ...extended.filter((candidate) => candidate !== null)]),
  ];
}

/**
 * Tells whether an address contains the version, so that each version has its own address. Most of the numbers must follow each other,
 * joined by a dot, dash, underscore or nothing: 7z2602-x64.exe contains 26.02, v1.93.136 contains 151.1.93.136.
 */
export function containsVersion(address: string, version: string): boolean {
  const segments = version.match(/\d+/g) ?? [];
  const significant = trimZeros(segments);
  const text = decodeAddress(address);
  const needed = Math.max(Math.min(2, segments.length), significant.length - 1);
  for (const run of [...listRuns(segments, needed), ...listRuns(significant, needed)]) {
    const separated = new RegExp(`(?<!\\d)${run.join('[._-]')}(?!\\d)`);
    if (separated.test(text)) return true;
    const joined = run.join('');
    if (joined.length >= 3 && new RegExp(`(?<!\\d)${joined}(?!\\d)`).test(text)) return true;
  }
  return false;
}

/** Returns leading runs, longest first, and trailing runs of at least three numbers, because two numbers alone are ambiguous there. */
function listRuns(segments: readonly string[], needed: number): (readonly string[])[] {
  const runs = [];
  for (let length = segments.length; length >= Math.max(needed, 1); length -= 1) {
    runs.push(segments.slice(0, length));
    if (length >= 3) runs.push(segments.slice(segments.length - length));
  }
  return runs;
}

function trimZeros(segments: readonly string[]): readonly string[] {
  const last = segments.findLastIndex((segment) => /[1-9]/.test(segment));
  return segments.slice(0, Math.max(last + 1, 1));
}

/** Returns an address that is not escaped correctly unchanged. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
