/** Ratings of a vulnerability by product: the guide states severity, impact and score for each product. */
import type { CvrfVulnerability } from '../../../parsers/cvrf-document.ts';
import {
  findUnknownSeverity,
  type Severity,
  severities,
  toSeverity,
} from '../../../schemas/severities.ts';

export interface Rating {
  readonly severity: Severity;
  /** Microsoft's word for the severity, when it is unknown. */
  readonly vendorSeverity: string | null;
  readonly impact: string | null;
  /** The CVSS base score as written. */
  readonly score: string | null;
  readonly vector: string | null;
}

export interface Ratings {
  /** Returns the higher of the given rating and the product's. Equal ratings are the same object. */
  getHigher(current: Rating | undefined, product: string): Rating;
}

export function createRatings(
  { threats, scores }: CvrfVulnerability,
  intern: (text: string) => string,
): Ratings {
  const severityFor = new Map<string, Pick<Rating, 'severity' | 'vendorSeverity'>>();
  const impactFor = new Map<string, string>();
  const scoreFor = new Map<string, Pick<Rating, 'score' | 'vector'>>();
  for (const { type, description, products } of threats) {
    for (const product of orAllProducts(products)) {
      if (
        type === 'Severity' &&
        rank(toSeverity(description)) >= rank(severityFor.get(product)?.severity)
      ) {
        severityFor.set(product, {
          severity: toSeverity(description),
          vendorSeverity: findUnknownSeverity(description)[0]?.word ?? null,
        });
      }
      if (type === 'Impact' && description !== null && !impactFor.has(product))
        impactFor.set(product, description);
    }
  }
  for (const { base: score, vector, products } of scores) {
    for (const product of orAllProducts(products)) {
      if (Number(score) >= Number(scoreFor.get(product)?.score ?? 0))
        scoreFor.set(product, { score, vector });
    }
  }

  const ratings = new Map<string, Rating>();
  const find = (product: string): Rating => {
    const { severity, vendorSeverity } = severityFor.get(product) ??
      severityFor.get(all) ?? { severity: 'Unspecified', vendorSeverity: null };
    const impact = impactFor.get(product) ?? impactFor.get(all) ?? null;
    const { score = null, vector = null } = scoreFor.get(product) ?? scoreFor.get(all) ?? {};
    const key = [severity, vendorSeverity, impact, score, vector].join('|');
    let rating = ratings.get(key);
    if (rating === undefined) {
      rating = {
        severity,
        vendorSeverity: internOrNull(vendorSeverity),
        impact: internOrNull(impact),
        score: internOrNull(score),
        vector: internOrNull(vector),
      };
      ratings.set(key, rating);
    }
    return rating;
  };
  const internOrNull = (text: string | null) => (text === null ? null : intern(text));
  return { getHigher: (current, product) => getHigherRating(current, find(product)) };
}

export function getHigherRating(a: Rating | undefined, b: Rating): Rating {
  if (a === undefined) return b;
  const order = rank(b.severity) - rank(a.severity) || Number(b.score ?? 0) - Number(a.score ?? 0);
  return order > 0 ? b : a;
}

const all = '';
const orAllProducts = (products: readonly string[]) => (products.length === 0 ? [all] : products);
const rank = (severity: Severity | undefined) =>
  severity === undefined ? -1 : severities.indexOf(severity);
