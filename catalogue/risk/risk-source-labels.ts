/** Names of the risk sources, and the credits that their terms require. */
import type { RiskSourceKey } from '../definition/risk-facts.ts';

export interface RiskSourceLabel {
  readonly label: string;
  /** A sentence or short credit, in the publisher's words where its terms require them. */
  readonly attribution: string;
}

export const riskSourceLabels: Readonly<Record<RiskSourceKey, RiskSourceLabel>> = {
  kev: {
    label: 'CISA KEV',
    attribution: 'CISA Known Exploited Vulnerabilities Catalog, CC0 1.0.',
  },
  epss: { label: 'EPSS', attribution: 'EPSS, first.org/epss' },
  cvss: {
    label: 'CVSS and SSVC (NVD)',
    attribution:
      'This product uses data from the NVD API but is not endorsed or certified by the NVD.',
  },
};
