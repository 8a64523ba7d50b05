/**
 * Facts of the risk sources about a CVE: known exploitation (CISA KEV), probability of exploitation (EPSS), severity and decision
 * points (NVD, with the scores of CNAs and CISA). They are stored by CVE, apart from the vendors' records. See
 * docs/decisions/036.
 */

/** The sources, by the names under which the wire reports them. */
export const riskSourceKeys = ['kev', 'epss', 'cvss'] as const;
export type RiskSourceKey = (typeof riskSourceKeys)[number];

/** An entry of CISA's catalogue of known exploited vulnerabilities. Dates are midnight UTC of a calendar day, epoch milliseconds. */
export interface KnownExploited {
  readonly kind: 'kev';
  /** Upper case: CVE-2024-3094. */
  readonly cve: string;
  readonly vendorProject: string;
  readonly product: string;
  readonly name: string;
  readonly description: string;
  readonly requiredAction: string;
  readonly dateAdded: number;
  readonly dueDate: number | null;
  /** Null where CISA states neither Known nor Unknown. */
  readonly ransomware: boolean | null;
  readonly notes: string;
  readonly cwes: readonly string[];
}

/** Both values range from 0 to 1. */
export interface EpssScore {
  readonly kind: 'epss';
  readonly cve: string;
  readonly epss: number;
  readonly percentile: number | null;
}

export const cvssVersions = ['4.0', '3.1', '3.0', '2.0'] as const;
export type CvssVersion = (typeof cvssVersions)[number];

/** The author of a score: NVD, the CNA that published the CVE, CISA's enrichment, or another source that NVD names. */
export type CvssScorer = 'nvd' | 'cna' | 'cisa' | 'other';

export interface CvssScore {
  readonly version: CvssVersion;
  /** From 0 to 10, as published, not computed from the vector. */
  readonly score: number;
  readonly vector: string | null;
  /** The publisher's word: LOW, MEDIUM, HIGH, CRITICAL, NONE. */
  readonly severity: string | null;
  readonly scorer: CvssScorer;
  /** As NVD writes it: an address or a UUID. */
  readonly source: string;
}

/** CISA's decision points of the stakeholder-specific vulnerability categorisation, in the publisher's words. */
export interface Ssvc {
  readonly exploitation: string | null;
  readonly automatable: string | null;
  readonly technicalImpact: string | null;
  readonly version: string | null;
  /** When CISA decided, epoch milliseconds. */
  readonly decidedOn: number | null;
}

export interface CveRecord {
  readonly kind: 'cvss';
  readonly cve: string;
  /** The English description. */
  readonly description: string;
  /** NVD's word: Analyzed, Rejected, Not Scheduled … */
  readonly status: string;
  readonly rejected: boolean;
  /** Epoch milliseconds. */
  readonly published: number | null;
  readonly lastModified: number | null;
  /**
   * The preferred one first: the highest version, within it NVD, the CNA, CISA, others in the order of the file. Empty for a
   * rejected CVE.
   */
  readonly scores: readonly CvssScore[];
  readonly ssvc: Ssvc | null;
}

export type RiskFacts = KnownExploited | EpssScore | CveRecord;
