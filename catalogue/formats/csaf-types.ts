/** The parts of CSAF 2.1 that documents of this catalogue have, keys in the order of the alphabet as the standard recommends: https://docs.oasis-open.org/csaf/csaf/v2.1/csaf-v2.1.html */

export interface CsafDocument {
  readonly $schema: 'https://docs.oasis-open.org/csaf/csaf/v2.1/schema/csaf.json';
  readonly document: CsafHead;
  readonly product_tree: CsafProductTree;
  readonly vulnerabilities: readonly CsafVulnerability[];
}

export interface CsafHead {
  readonly aggregate_severity?: { readonly text: string };
  readonly category: 'csaf_security_advisory' | 'csaf_vex';
  readonly csaf_version: '2.1';
  readonly distribution: { readonly tlp: { readonly label: 'CLEAR' } };
  readonly lang: 'en';
  readonly notes: readonly CsafNote[];
  readonly publisher: CsafPublisher;
  readonly references: readonly CsafReference[];
  readonly title: string;
  readonly tracking: CsafTracking;
}

export interface CsafPublisher {
  /** `multiplier` is who redistributes what vendors publish. */
  readonly category: 'multiplier';
  readonly name: string;
  /** An address. */
  readonly namespace: string;
}

export interface CsafTracking {
  readonly aliases?: readonly string[];
  readonly current_release_date: string;
  readonly id: string;
  readonly initial_release_date: string;
  readonly revision_history: readonly CsafRevision[];
  readonly status: 'final';
  readonly version: string;
}

export interface CsafRevision {
  readonly date: string;
  readonly number: string;
  readonly summary: string;
}

export interface CsafNote {
  readonly category: 'description' | 'faq' | 'general' | 'other' | 'summary';
  readonly text: string;
  readonly title?: string;
}

export interface CsafReference {
  readonly category: 'external' | 'self';
  readonly summary: string;
  readonly url: string;
}

export interface CsafProductTree {
  readonly branches: readonly CsafBranch[];
  readonly product_groups?: readonly {
    readonly group_id: string;
    readonly product_ids: readonly string[];
  }[];
  readonly relationships?: readonly CsafRelationship[];
}

export interface CsafBranch {
  readonly branches?: readonly CsafBranch[];
  readonly category:
    | 'patch_level'
    | 'product_name'
    | 'product_version'
    | 'product_version_range'
    | 'vendor';
  readonly name: string;
  readonly product?: CsafProduct;
}

export interface CsafProduct {
  readonly name: string;
  readonly product_id: string;
  readonly product_identification_helper?: { readonly purls: readonly string[] };
}

export interface CsafRelationship {
  readonly category: 'default_component_of';
  readonly full_product_name: CsafProduct;
  readonly product_reference: string;
  readonly relates_to_product_reference: string;
}

export interface CsafVulnerability {
  readonly cve?: string;
  readonly ids?: readonly { readonly system_name: string; readonly text: string }[];
  readonly metrics?: readonly CsafMetric[];
  readonly notes: readonly CsafNote[];
  readonly product_status: {
    readonly fixed?: readonly string[];
    readonly known_affected?: readonly string[];
    readonly known_not_affected?: readonly string[];
    readonly under_investigation?: readonly string[];
  };
  readonly references?: readonly CsafReference[];
  readonly remediations?: readonly CsafRemediation[];
  readonly threats?: readonly CsafThreat[];
  readonly title?: string;
}

export interface CsafMetric {
  readonly content: {
    readonly cvss_v2?: CsafScore;
    readonly cvss_v3?: CsafScore;
    readonly cvss_v4?: CsafScore;
  };
  readonly products: readonly string[];
  readonly source?: string;
}

export interface CsafScore {
  readonly baseScore: number;
  readonly baseSeverity?: string;
  readonly vectorString: string;
  readonly version: string;
}

/** Which products a statement is about: a group of several, or one. */
export type CsafScope =
  | { readonly group_ids: readonly string[] }
  | { readonly product_ids: readonly string[] };

export type CsafRemediation = CsafScope & {
  readonly category:
    | 'mitigation'
    | 'no_fix_planned'
    | 'none_available'
    | 'vendor_fix'
    | 'workaround';
  readonly date?: string;
  readonly details: string;
  readonly entitlements?: readonly string[];
  readonly restart_required?: { readonly category: CsafRestart };
  readonly url?: string;
};

export type CsafRestart = 'none' | 'system' | 'vulnerable_component';

/** About the products that it names, all of the vulnerability when it names none. */
export interface CsafThreat {
  readonly category: 'exploit_status' | 'impact';
  readonly details: string;
  readonly group_ids?: readonly string[];
  readonly product_ids?: readonly string[];
}
