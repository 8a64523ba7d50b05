/** Decides whether two sources name one release, or which is newer: sources number the same application in different schemes. */
import {
  compareNumbers,
  compareVersions,
  decodeAddress,
  parseVersionNumbers,
} from './version-numbers.ts';

/** A release as a source names it. */
export interface ReleaseNames {
  readonly version: string;
  /** Other names of the release in the source. */
  readonly otherNames: readonly OtherName[];
}

export interface OtherName {
  readonly name: string;
  /** Where the source uses the name: 'in its download address'. */
  readonly where: string;
}

export interface Relation {
  /** Negative when the first is older, zero when both are one release. */
  readonly order: number;
  /** Explains the relation of versions of different schemes; null within one scheme. */
  readonly evidence: string | null;
}

/**
 * Relates two releases; null when they cannot be compared. Tried in this order: equal numbers, a common name, versions of one scheme, a
 * name of one release in the scheme of the other.
 */
export function relate(a: ReleaseNames, b: ReleaseNames): Relation | null {
  const direct = compareInScheme(a.version, b.version);
  if (direct?.order === 0) return direct;
  const pairs = pairNames(a, b);
  const same = pairs.find(({ left, right }) => compareVersions(left, right) === 0);
  if (same !== undefined) return { order: 0, evidence: same.evidence };
  if (direct !== null) return direct;
  for (const { left, right, evidence } of pairs) {
    const found = compareInScheme(left, right);
    if (found !== null)
      return {
        order: found.order,
        evidence: [evidence, found.evidence].filter((words) => words !== null).join('; '),
      };
  }
  return null;
}

/** Pairs each name of `a` with each of `b`, except the two versions themselves. */
function pairNames(a: ReleaseNames, b: ReleaseNames) {
  const listNames = ({ version, otherNames }: ReleaseNames) => [
    { name: version, words: null },
    ...otherNames.map(({ name, where }) => ({
      name,
      words: `${version} is called ${name} ${where}`,
    })),
  ];
  return listNames(a).flatMap((left) =>
    listNames(b).flatMap((right) => {
      const evidence = [left.words, right.words].filter((words) => words !== null);
      return evidence.length === 0
        ? []
        : [{ left: left.name, right: right.name, evidence: evidence.join('; ') }];
    }),
  );
}

/** A revision that only one of them states does not order them. */
function compareInScheme(a: string, b: string): Relation | null {
  const [left, right] = [parseVersionNumbers(a), parseVersionNumbers(b)];
  if (left.main.length === 0 || right.main.length === 0)
    return a === b ? { order: 0, evidence: null } : null;
  const relation =
    left.main.length <= right.main.length
      ? align(left.main, right.main)
      : reverse(align(right.main, left.main));
  if (relation?.order !== 0 || left.rest.length === 0 || right.rest.length === 0) return relation;
  return { ...relation, order: compareNumbers(left.rest, right.rest) };
}

function reverse(relation: Relation | null): Relation | null {
  return relation === null ? null : { ...relation, order: 0 - relation.order };
}

/**
 * Versions share a scheme when their numbers agree from the beginning and then differ as two releases do. Otherwise the longer may have
 * an additional number in front (151.1.93.136 and 1.93.134) or inside (7.1.5.43453 and 7.1.43453).
 */
function align(shorter: readonly bigint[], longer: readonly bigint[]): Relation | null {
  const at = findFirstDifference(shorter, longer);
  const build = longer[shorter.length];
  if (at === shorter.length && build !== undefined && build >= minBuild) {
    return {
      order: 0,
      evidence: `${longer.join('.')} is build ${longer.slice(at).join('.')} of ${shorter.join('.')}`,
    };
  }
  const atLast = shorter.length === longer.length && at === shorter.length - 1;
  if (at === -1 || at >= shorter.length || atLast || isNear(shorter[at], longer[at])) {
    return { order: compareNumbers(shorter, longer), evidence: null };
  }
  if (shorter.length === longer.length) return null;
  return at === 0 ? comparePrefixed(shorter, longer) : compareInfixed(shorter, longer, at);
}

/** The longer has more numbers in front: the numbers after them begin like the shorter. */
function comparePrefixed(shorter: readonly bigint[], longer: readonly bigint[]): Relation | null {
  const front = longer.slice(0, longer.length - shorter.length);
  const behind = longer.slice(front.length);
  const at = findFirstDifference(shorter, behind);
  const isRelated =
    at === -1
      ? shorter.length > 1 && shorter.some(isDistinctive)
      : at > 0 && (at === shorter.length - 1 || isNear(shorter[at], behind[at]));
  if (!isRelated) return null;
  const evidence = `${longer.join('.')} is numbered as ${shorter.join('.')} is, with ${front.join('.')} in front`;
  return { order: compareNumbers(shorter, behind), evidence };
}

/** The longer has one additional number inside; both end in a build number. */
function compareInfixed(
  shorter: readonly bigint[],
  longer: readonly bigint[],
  at: number,
): Relation | null {
  const [ours, theirs] = [shorter.slice(at), longer.slice(at + 1)];
  const builds = [ours.at(-1), theirs.at(-1)].every(
    (number) => number !== undefined && number >= minBuild,
  );
  if (longer.length !== shorter.length + 1 || !builds || !isNear(ours[0], theirs[0])) return null;
  const evidence = `${longer.join('.')} is numbered as ${shorter.join('.')} is, with ${longer[at]} in its midst`;
  return { order: compareNumbers(ours, theirs), evidence };
}

/** Smaller numbers occur in every version. */
const isDistinctive = (number: bigint) => number >= 10n;
const minBuild = 1000n;

/** Tells whether two numbers at one index can belong to releases of the same time: 93 and 94, but not 1 and 151. */
function isNear(a = 0n, b = 0n): boolean {
  const [low, high] = a < b ? [a, b] : [b, a];
  return high <= 10n * low + 50n;
}

function findFirstDifference(a: readonly bigint[], b: readonly bigint[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    if ((a[index] ?? 0n) !== (b[index] ?? 0n)) return index;
  }
  return -1;
}

/**
 * Returns the name that all of a release's addresses share when they do not contain the version in full: a part of its digits, such as
 * 4.1.16 for 4.116.9816. Null without one.
 */
export function findNameInAddresses(version: string, addresses: readonly string[]): string | null {
  const segments = /\d+(?:\.\d+)*/.exec(version)?.[0].split('.') ?? [];
  const names = new Set<string>();
  for (const address of addresses.map(decodeAddress)) {
    if (containsFullVersion(address, segments)) return null;
    const [longest] = [...address.matchAll(/\d+(?:\.\d+)+/g)]
      .map(([name]) => name)
      .filter((name) => isPartOfVersion(name, segments))
      .toSorted((a, b) => b.length - a.length);
    if (longest !== undefined) names.add(longest);
  }
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}

function containsFullVersion(address: string, segments: readonly string[]): boolean {
  const last = segments.findLastIndex((segment) => /[1-9]/.test(segment));
  const significant = segments.slice(0, last + 1);
  const joined = significant.join('');
  const forms = [significant.join('[._-]'), ...(joined.length >= 3 ? [joined] : [])];
  return (
    significant.length > 0 &&
    forms.some((form) => new RegExp(`(?<!\\d)${form}(?!\\d)`).test(address))
  );
}

/** Compares digits only, with all segments except the first or the last. */
function isPartOfVersion(name: string, segments: readonly string[]): boolean {
  const digits = name.replaceAll('.', '');
  if (digits.length < 3 || segments.length < 3) return false;
  return [segments.slice(0, -1), segments.slice(1)].some((part) => part.join('') === digits);
}
