/** Whose CVSS score it is, in words. */
import type { CvssScorer } from '../definition/risk-facts.ts';

const names: Readonly<Record<CvssScorer | 'vendor', (source: string) => string>> = {
  nvd: () => 'NVD',
  cna: (source) => `CNA (${source})`,
  cisa: () => 'CISA',
  other: (source) => source,
  vendor: (source) => `Vendor (${source})`,
};

/** `source`: an address or a UUID as NVD writes it, the name of a vendor. */
export const scorerName = (scorer: CvssScorer | 'vendor', source: string): string =>
  names[scorer](source);
