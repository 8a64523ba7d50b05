/** The vulnerabilities that a KB fixes in a product, and what the list shows of them. */
import { higherSeverity, type Severity, severities } from '../../schemas/severities.ts';
import { distinctWords } from '../../values/vendor-words.ts';
import { compareNaturally } from './compare-naturally.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { anyStatement, type ProductStatements } from './msrc-exploit-status.ts';
import type { Vulnerability } from './msrc-fixes.ts';
import type { Rating } from './msrc-rating.ts';

export interface FixedVulnerability {
  readonly cve: string;
  readonly rating: Rating;
  /** Null where no document describes it. */
  readonly vulnerability: Vulnerability | null;
  /** Its exploit status for the products of the row; null where no document describes it. */
  readonly status: ProductStatements | null;
}

/** In the natural order of their ids. */
export function fixedVulnerabilities(
  { ratings, productIds }: Pick<KbForProduct, 'ratings' | 'productIds'>,
  vulnerabilities: ReadonlyMap<string, Vulnerability>,
): FixedVulnerability[] {
  return [...ratings]
    .toSorted(([one], [other]) => compareNaturally(one, other))
    .map(([cve, rating]) => {
      const vulnerability = vulnerabilities.get(cve) ?? null;
      return {
        cve,
        rating,
        vulnerability,
        status: vulnerability?.exploitStatuses.of(productIds) ?? null,
      };
    });
}

export function highestSeverity(fixed: readonly FixedVulnerability[]): Severity {
  return fixed.reduce<Severity>(
    (highest, { rating }) => higherSeverity(highest, rating.severity),
    'Unspecified',
  );
}

/** Whether that is said of any of them; null where it is not known of all. */
export function saidOfAny(
  fixed: readonly FixedVulnerability[],
  fact: 'exploited' | 'publiclyDisclosed',
): boolean | null {
  return anyStatement(fixed.map(({ status }) => status?.[fact] ?? null));
}

/** The most frequent among the vulnerabilities of that severity; of two as frequent, the one more frequent over all. */
export function impactOf(fixed: readonly FixedVulnerability[], severity: Severity): string | null {
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
      ([word, one], [otherWord, other]) =>
        other.worst - one.worst || other.all - one.all || compareNaturally(word, otherWord),
    );
  return first?.[0] ?? null;
}

/** What the update does, in words: how many vulnerabilities of which severity it fixes, and in which components. */
export function descriptionOf(
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

/** The rows of the detail's table, the most urgent first. */
export function vulnerabilityRows(fixed: readonly FixedVulnerability[]) {
  return fixed.toSorted((one, other) => urgency(other) - urgency(one)).map(vulnerabilityRow);
}

/** What is exploited comes first, then what is public, then by severity; the higher the number the earlier. */
function urgency({ rating, status }: FixedVulnerability): number {
  const severity = severities.indexOf(rating.severity);
  return (
    severity + (status?.publiclyDisclosed === true ? 10 : 0) + (status?.exploited === true ? 20 : 0)
  );
}

function vulnerabilityRow({ cve, rating, vulnerability, status }: FixedVulnerability) {
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
