/** Whether two sources name one release, or which is newer: sources number the same application each in a scheme of its own. */
import { compareNumbers, compareVersions, versionNumbers } from './version-numbers.ts';

/** A release as a source names it. */
export interface NamedRelease {
  readonly version: string;
  /** What else the source calls it. */
  readonly otherNames: readonly OtherName[];
}

export interface OtherName {
  readonly name: string;
  /** Where the source calls it so: 'in its download address'. */
  readonly where: string;
}

export interface Relation {
  /** Negative when the first is older, zero when both are one release. */
  readonly order: number;
  /** What relates them where the versions are not of one scheme, in words; null where they are. */
  readonly evidence: string | null;
}

/**
 * Null when the two cannot be compared. In order of their strength: the same numbers; a name that both sources use; versions of one
 * scheme; a name of one in the scheme of the other.
 */
export function relate(one: NamedRelease, other: NamedRelease): Relation | null {
  const direct = inOneScheme(one.version, other.version);
  if (direct?.order === 0) return direct;
  const pairs = pairsOfNames(one, other);
  const same = pairs.find(({ left, right }) => compareVersions(left, right) === 0);
  if (same !== undefined) return { order: 0, evidence: same.evidence };
  if (direct !== null) return direct;
  for (const { left, right, evidence } of pairs) {
    const found = inOneScheme(left, right);
    if (found !== null)
      return {
        order: found.order,
        evidence: [evidence, found.evidence].filter((words) => words !== null).join('; '),
      };
  }
  return null;
}

interface PairOfNames {
  readonly left: string;
  readonly right: string;
  readonly evidence: string;
}

/** Each name of the one with each of the other, without the two versions themselves. */
function pairsOfNames(one: NamedRelease, other: NamedRelease): PairOfNames[] {
  const namesOf = ({ version, otherNames }: NamedRelease) => [
    { name: version, words: null },
    ...otherNames.map(({ name, where }) => ({
      name,
      words: `${version} is called ${name} ${where}`,
    })),
  ];
  return namesOf(one).flatMap((left) =>
    namesOf(other).flatMap((right) => {
      const evidence = [left.words, right.words].filter((words) => words !== null);
      return evidence.length === 0
        ? []
        : [{ left: left.name, right: right.name, evidence: evidence.join('; ') }];
    }),
  );
}

/** A revision that only one of the two states says nothing of their order. */
function inOneScheme(one: string, other: string): Relation | null {
  const [left, right] = [versionNumbers(one), versionNumbers(other)];
  if (left.main.length === 0 || right.main.length === 0)
    return one === other ? { order: 0, evidence: null } : null;
  const relation =
    left.main.length <= right.main.length
      ? aligned(left.main, right.main)
      : reversed(aligned(right.main, left.main));
  if (relation?.order !== 0 || left.rest.length === 0 || right.rest.length === 0) return relation;
  return { ...relation, order: compareNumbers(left.rest, right.rest) };
}

function reversed(relation: Relation | null): Relation | null {
  return relation === null ? null : { ...relation, order: 0 - relation.order };
}

/**
 * Of one scheme where the numbers agree from the beginning and then differ as two releases do; where they do not, the longer may have
 * a number more in front (151.1.93.136 beside 1.93.134) or in its midst (7.1.5.43453 beside 7.1.43453).
 */
function aligned(shorter: readonly bigint[], longer: readonly bigint[]): Relation | null {
  const at = firstDifference(shorter, longer);
  const build = longer[shorter.length];
  if (at === shorter.length && build !== undefined && build >= leastBuild) {
    return {
      order: 0,
      evidence: `${longer.join('.')} is build ${longer.slice(at).join('.')} of ${shorter.join('.')}`,
    };
  }
  const atLast = shorter.length === longer.length && at === shorter.length - 1;
  if (at === -1 || at >= shorter.length || atLast || near(shorter[at], longer[at])) {
    return { order: compareNumbers(shorter, longer), evidence: null };
  }
  if (shorter.length === longer.length) return null;
  return at === 0 ? behindNumbers(shorter, longer) : aroundNumber(shorter, longer, at);
}

/** The longer with more numbers in front: what is behind them begins as the shorter does. */
function behindNumbers(shorter: readonly bigint[], longer: readonly bigint[]): Relation | null {
  const front = longer.slice(0, longer.length - shorter.length);
  const behind = longer.slice(front.length);
  const at = firstDifference(shorter, behind);
  const told =
    at === -1
      ? shorter.length > 1 && shorter.some(isTelling)
      : at > 0 && (at === shorter.length - 1 || near(shorter[at], behind[at]));
  if (!told) return null;
  const evidence = `${longer.join('.')} is numbered as ${shorter.join('.')} is, with ${front.join('.')} in front`;
  return { order: compareNumbers(shorter, behind), evidence };
}

/** The longer with one number in its midst; both end in the number of a build. */
function aroundNumber(
  shorter: readonly bigint[],
  longer: readonly bigint[],
  at: number,
): Relation | null {
  const [ours, theirs] = [shorter.slice(at), longer.slice(at + 1)];
  const builds = [ours.at(-1), theirs.at(-1)].every(
    (number) => number !== undefined && number >= leastBuild,
  );
  if (longer.length !== shorter.length + 1 || !builds || !near(ours[0], theirs[0])) return null;
  const evidence = `${longer.join('.')} is numbered as ${shorter.join('.')} is, with ${longer[at]} in its midst`;
  return { order: compareNumbers(ours, theirs), evidence };
}

/** Smaller ones are in every version. */
const isTelling = (number: bigint) => number >= 10n;
const leastBuild = 1000n;

/** Whether two numbers at the same place can be of two releases that are told of at one time: 93 and 94, not 1 and 151. */
function near(one = 0n, other = 0n): boolean {
  const [low, high] = one < other ? [one, other] : [other, one];
  return high <= 10n * low + 50n;
}

function firstDifference(one: readonly bigint[], other: readonly bigint[]): number {
  for (let place = 0; place < Math.max(one.length, other.length); place += 1) {
    if ((one[place] ?? 0n) !== (other[place] ?? 0n)) return place;
  }
  return -1;
}

/**
 * The name that all of a release's addresses have for it, where they do not name its version in full: a part of the version's digits,
 * 4.1.16 of 4.116.9816. Null when there is none.
 */
export function nameInAddresses(version: string, addresses: readonly string[]): string | null {
  const segments = /\d+(?:\.\d+)*/.exec(version)?.[0].split('.') ?? [];
  const names = new Set<string>();
  for (const address of addresses.map(decoded)) {
    if (namesInFull(address, segments)) return null;
    const [longest] = [...address.matchAll(/\d+(?:\.\d+)+/g)]
      .map(([name]) => name)
      .filter((name) => isPartOf(name, segments))
      .toSorted((a, b) => b.length - a.length);
    if (longest !== undefined) names.add(longest);
  }
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}

function namesInFull(address: string, segments: readonly string[]): boolean {
  const last = segments.findLastIndex((segment) => /[1-9]/.test(segment));
  const significant = segments.slice(0, last + 1);
  const joined = significant.join('');
  const forms = [significant.join('[._-]'), ...(joined.length >= 3 ? [joined] : [])];
  return (
    significant.length > 0 &&
    forms.some((form) => new RegExp(`(?<!\\d)${form}(?!\\d)`).test(address))
  );
}

/** All of the segments but the first or the last, however the name parts their digits. */
function isPartOf(name: string, segments: readonly string[]): boolean {
  const digits = name.replaceAll('.', '');
  if (digits.length < 3 || segments.length < 3) return false;
  return [segments.slice(0, -1), segments.slice(1)].some((part) => part.join('') === digits);
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
