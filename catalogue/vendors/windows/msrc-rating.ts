/** How bad a vulnerability is in a product: severity, impact and score are said for each product, not for the vulnerability. */
import type { CvrfVulnerability } from '../../parsers/cvrf-document.ts';
import {
  type Severity,
  severities,
  severityOf,
  unknownSeverity,
} from '../../schemas/severities.ts';

export interface Rating {
  readonly severity: Severity;
  /** Microsoft's word for the severity, where it is none that is known. */
  readonly vendorSeverity: string | null;
  readonly impact: string | null;
  /** The CVSS base score as written. */
  readonly score: string | null;
  readonly vector: string | null;
}

export interface Ratings {
  /** That of the product, or the one given when that is as high. The same rating is the same object. */
  higher(than: Rating | undefined, product: string): Rating;
}

export function ratingsOf(
  { threats, scores }: CvrfVulnerability,
  keep: (text: string) => string,
): Ratings {
  const severityFor = new Map<string, Pick<Rating, 'severity' | 'vendorSeverity'>>();
  const impactFor = new Map<string, string>();
  const scoreFor = new Map<string, Pick<Rating, 'score' | 'vector'>>();
  for (const { type, description, products } of threats) {
    for (const product of orAll(products)) {
      if (
        type === 'Severity' &&
        rank(severityOf(description)) >= rank(severityFor.get(product)?.severity)
      ) {
        severityFor.set(product, {
          severity: severityOf(description),
          vendorSeverity: unknownSeverity(description)[0]?.word ?? null,
        });
      }
      if (type === 'Impact' && description !== null && !impactFor.has(product))
        impactFor.set(product, description);
    }
  }
  for (const { base: score, vector, products } of scores) {
    for (const product of orAll(products)) {
      if (Number(score) >= Number(scoreFor.get(product)?.score ?? 0))
        scoreFor.set(product, { score, vector });
    }
  }

  const same = new Map<string, Rating>();
  const find = (product: string): Rating => {
    const { severity, vendorSeverity } = severityFor.get(product) ??
      severityFor.get(all) ?? { severity: 'Unspecified', vendorSeverity: null };
    const impact = impactFor.get(product) ?? impactFor.get(all) ?? null;
    const { score = null, vector = null } = scoreFor.get(product) ?? scoreFor.get(all) ?? {};
    const key = [severity, vendorSeverity, impact, score, vector].join('|');
    let rating = same.get(key);
    if (rating === undefined) {
      rating = {
        severity,
        vendorSeverity: kept(vendorSeverity),
        impact: kept(impact),
        score: kept(score),
        vector: kept(vector),
      };
      same.set(key, rating);
    }
    return rating;
  };
  const kept = (text: string | null) => (text === null ? null : keep(text));
  return { higher: (than, product) => higherRating(than, find(product)) };
}

export function higherRating(one: Rating | undefined, other: Rating): Rating {
  if (one === undefined) return other;
  const order =
    rank(other.severity) - rank(one.severity) || Number(other.score ?? 0) - Number(one.score ?? 0);
  return order > 0 ? other : one;
}

const all = '';
const orAll = (products: readonly string[]) => (products.length === 0 ? [all] : products);
const rank = (severity: Severity | undefined) =>
  severity === undefined ? -1 : severities.indexOf(severity);
