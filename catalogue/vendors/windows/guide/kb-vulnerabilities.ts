/** The vulnerabilities that a KB fixes in a product, and their presentation in the list. */
import { getHigherSeverity, type Severity, severities } from '../../../schemas/severities.ts';
import { distinctWords } from '../../../values/vendor-words.ts';
import { compareNaturally } from '../names/compare-naturally.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { combineFlags, type ProductStatements } from './msrc-exploit-status.ts';
import type { Vulnerability } from './msrc-fixes.ts';
import type { Rating } from './msrc-rating.ts';

export interface FixedVulnerability {
  readonly cve: string;
  readonly rating: Rating;
  /** Null when no document describes it. */
  readonly vulnerability: Vulnerability | null;
  /** Exploit status for the products of the row; null when no document describes it. */
  readonly status: ProductStatements | null;
}

/** Sorts by id in natural order. */
export function listFixedVulnerabilities(
  { ratings, productIds }: Pick<KbForProduct, 'ratings' | 'productIds'>,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
): FixedVulnerability[] {
  return [...ratings]
    .toSorted(([a], [b]) => compareNaturally(a, b))
    .map(([cve, rating]) => {
      const vulnerability = vulnerabilities.get(cve) ?? null;
      return {
        cve,
        rating,
        vulnerability,
        status: vulnerability?.exploitStatuses.getStatements(productIds) ?? null,
      };
    });
}

export function getHighestSeverity(fixed: readonly FixedVulnerability[]): Severity {
  return fixed.reduce<Severity>(
    (highest, { rating }) => getHigherSeverity(highest, rating.severity),
    'Unspecified',
  );
}

/** Returns true when one of them states the fact; null when it is unknown for one. */
export function combineStatements(
  fixed: readonly FixedVulnerability[],
  fact: 'exploited' | 'publiclyDisclosed',
): boolean | null {
  return combineFlags(fixed.map(({ status }) => status?.[fact] ?? null));
}

/** Returns the most frequent impact among vulnerabilities of the severity, then the more frequent one over all. */
export function chooseImpact(
  fixed: readonly FixedVulnerability[],
  severity: Severity,
): string | null {
  const counts = new Map<string, { worst: number; all: number }>();
  for (const { rating } of fixed) {
    if (rating.impact === null) continue;
    const { worst, all } = counts.get(rating.impact) ?? { worst: 0, all: 0 };
    counts.set(rating.impact, {
      worst: worst + (rating.severity === severity ? 1 : 0),
      all: all + 1,
    });
  }
  const [first] = [...counts]
    .filter(([, { worst }]) => worst > 0)
    .toSorted(
      ([wordA, a], [wordB, b]) =>
        b.worst - a.worst || b.all - a.all || compareNaturally(wordA, wordB),
    );
  return first?.[0] ?? null;
}

/** Words the number of fixed vulnerabilities by severity, and their components. */
export function describeFixes(
  productName: string,
  fixed: readonly FixedVulnerability[],
  component: readonly string[],
): string {
  const counts = [...severities].toReversed().flatMap((severity) => {
    const count = fixed.filter(({ rating }) => rating.severity === severity).length;
    return count === 0
      ? []
      : `${count} ${severity === 'None' ? 'without severity' : severity.toLowerCase()}`;
  });
  const fixes =
    fixed.length === 0
      ? `An update of ${productName}.`
      : `Fixes ${fixed.length} ${fixed.length === 1 ? 'vulnerability' : 'vulnerabilities'} in ${productName}: ${counts.join(', ')}.`;
  return component.length === 0 ? fixes : `${fixes}\nComponents: ${component.join(', ')}.`;
}

/** Returns the rows of the detail's table, the most urgent first. */
export function toVulnerabilityRows(fixed: readonly FixedVulnerability[]) {
  return fixed.toSorted((a, b) => getUrgency(b) - getUrgency(a)).map(toVulnerabilityRow);
}

/** Ranks exploited vulnerabilities first, then public ones, then by severity; higher is more urgent. */
function getUrgency({ rating, status }: FixedVulnerability): number {
  const severity = severities.indexOf(rating.severity);
  return (
    severity + (status?.publiclyDisclosed === true ? 10 : 0) + (status?.exploited === true ? 20 : 0)
  );
}

function toVulnerabilityRow({ cve, rating, vulnerability, status }: FixedVulnerability) {
  return {
    cve,
    title: vulnerability?.title ?? null,
    component: vulnerability?.components.join(', ') || null,
    severity: rating.severity,
    impact: rating.impact,
    cvss: rating.score,
    vector: rating.vector,
    exploited: status?.words ?? null,
    cwe: distinctWords(vulnerability?.guidance.weaknesses.map(({ id }) => id) ?? []),
    ...(rating.vendorSeverity && { vendorSeverity: rating.vendorSeverity }),
  };
}
