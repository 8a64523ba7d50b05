/** The five verdicts: each package, KB and application that was read ends in one of them. */
import type { UncertainReason } from './machine-fixes.ts';

export const unjudgedReasons = [
  /** Neither a distribution nor a release is stated. */
  'machineUnknown',
  /** The build is a client's or a server's, and the inventory does not name the product. */
  'productUnstated',
  'nothingListed',
  'releaseNotInCatalogue',
  /** No record of the release names the package. */
  'packageUnknown',
  /** The inventory names no source packages, and no record names the binary one. */
  'sourceUnknown',
  /** Records name the package for other architectures alone. */
  'architectureUnknown',
  /** Records name the package in other module streams alone. */
  'moduleUnknown',
  /** The version is of a repository that the catalogue does not have. */
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
  /** Fixed or not affected, as far as `comparedWith` says: the release, the product or the newest version. */
  | { readonly kind: 'fixed'; readonly comparedWith: string }
  /** A record fixes it with a higher version. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'uncertain'; readonly reason: UncertainReason }
  | { readonly kind: 'notJudged'; readonly reason: UnjudgedReason }
  /** Its vendor knows vulnerabilities and has published no fix. */
  | { readonly kind: 'noFix' };

/** A package, a KB or an application with its verdict. */
export interface JudgedItem {
  readonly name: string;
  readonly verdict: Verdict;
}

export interface VerdictCounts {
  readonly read: number;
  /** All but those that are not judged. */
  readonly compared: number;
  readonly fixed: number;
  readonly missing: number;
  readonly uncertain: number;
  readonly notJudged: number;
  readonly noFix: number;
}

export function countVerdicts(items: readonly JudgedItem[]): VerdictCounts {
  const of = (kind: Verdict['kind']) => items.filter(({ verdict }) => verdict.kind === kind).length;
  const notJudged = of('notJudged');
  return {
    read: items.length,
    compared: items.length - notJudged,
    fixed: of('fixed'),
    missing: of('missing'),
    uncertain: of('uncertain'),
    notJudged,
    noFix: of('noFix'),
  };
}

export const notJudged = (reason: UnjudgedReason): Verdict => ({ kind: 'notJudged', reason });

/** The graver of two: what is certainly missing, then what may be. */
export function graver(a: Verdict, b: Verdict): Verdict {
  const rank = { missing: 4, uncertain: 3, noFix: 2, fixed: 1, notJudged: 0 } as const;
  return rank[b.kind] > rank[a.kind] ? b : a;
}
