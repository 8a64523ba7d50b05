import type { CvssScorer } from '../definition/risk-facts.ts';

const names: Readonly<Record<CvssScorer | 'vendor', (source: string) => string>> = {
  nvd: () => 'NVD',
  cna: (source) => `CNA (${source})`,
  cisa: () => 'CISA',
  other: (source) => source,
  vendor: (source) => `Vendor (${source})`,
};

/**
 * Returns who assigned a CVSS score, in words.
 * @param source an address or UUID as NVD writes it, or the name of a vendor
 */
export const formatScorerName = (scorer: CvssScorer | 'vendor', source: string): string =>
  names[scorer](source);
