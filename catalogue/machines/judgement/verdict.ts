/** The six verdicts: each package, KB and application that was read has one of them. */
import type { UncertainReason } from './machine-fixes.ts';

export const unjudgedReasons = [
  /** The text states neither a distribution nor a release. */
  'machineUnknown',
  /** The build belongs to a client and a server, and the inventory does not state the product. */
  'productUnstated',
  'nothingListed',
  'releaseNotInCatalogue',
  /** No record lists the package, and its version does not show that the distribution built it. */
  'originUnknown',
  /** The inventory states no source packages, and no record lists the binary one. */
  'sourceUnknown',
  /** Records list the package for other architectures only. */
  'architectureUnknown',
  /** Records list the package in other module streams only. */
  'moduleUnknown',
  /** Records list the package for another channel only: UEK, Ksplice, FIPS. */
  'channelUnknown',
  /** The version comes from a repository that the catalogue does not have. */
  'otherRepository',
  /** The package was built for another release. */
  'otherRelease',
  /** The tool cut the name or the version. */
  'cutColumns',
  'kbUnknown',
  'applicationUnknown',
  'versionUnknown',
] as const;
export type UnjudgedReason = (typeof unjudgedReasons)[number];

export type Verdict =
  /** Fixed or not affected in the scope of `comparedWith`: the release, the product or the newest version. */
  | { readonly kind: 'fixed'; readonly comparedWith: string }
  /** A record fixes it with a higher version. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'uncertain'; readonly reason: UncertainReason }
  | { readonly kind: 'notJudged'; readonly reason: UnjudgedReason }
  /** The vendor's records of the release were read, and none lists the package. */
  | { readonly kind: 'noAdvisory' }
  /** The vendor knows vulnerabilities and has published no fix. */
  | { readonly kind: 'noFix' };

/** A package, a KB or an application with its verdict. */
export interface JudgedItem {
  readonly name: string;
  readonly verdict: Verdict;
}

export interface VerdictCounts {
  readonly read: number;
  /** All items that a record lists and that are judged. */
  readonly compared: number;
  readonly fixed: number;
  readonly missing: number;
  readonly uncertain: number;
  readonly notJudged: number;
  readonly noAdvisory: number;
  readonly noFix: number;
}

export function countVerdicts(items: readonly JudgedItem[]): VerdictCounts {
  const count = (kind: Verdict['kind']) =>
    items.filter(({ verdict }) => verdict.kind === kind).length;
  const [notJudged, noAdvisory] = [count('notJudged'), count('noAdvisory')];
  return {
    read: items.length,
    compared: items.length - notJudged - noAdvisory,
    fixed: count('fixed'),
    missing: count('missing'),
    uncertain: count('uncertain'),
    notJudged,
    noAdvisory,
    noFix: count('noFix'),
  };
}

export const notJudged = (reason: UnjudgedReason): Verdict => ({ kind: 'notJudged', reason });

/** Returns the more serious of two verdicts: missing, then uncertain. */
export function graver(a: Verdict, b: Verdict): Verdict {
  const rank = {
    missing: 5,
    uncertain: 4,
    noFix: 3,
    fixed: 2,
    noAdvisory: 1,
    notJudged: 0,
  } as const;
  return rank[b.kind] > rank[a.kind] ? b : a;
}
