/** The vendor publications, by their names on the wire. A source is synced and fills one or more lists, which name it. */

import type { RiskSourceKey } from './definition/risk-facts.ts';
import { type CatalogueList, catalogueLists } from './lists.ts';

/** The vendors' publications, whose records fill lists. */
export type VendorSourceKey = NonNullable<CatalogueList['source']>;

export type SourceKey = VendorSourceKey | RiskSourceKey;

/** The sources of the specification, in its order. */
const specified = {
  wsus: 'Microsoft Windows',
  ubuntu: 'Ubuntu',
  centOs: 'CentOS',
  opensuse: 'openSUSE',
  debian: 'Debian',
  pardus: 'Pardus',
  mac: 'macOS',
  oracleLinux: 'Oracle Linux',
  thirdParty: 'Third-party applications',
  almaLinux: 'AlmaLinux',
  rockyLinux: 'Rocky Linux',
};

/** A source that a later list adds comes behind the specified ones, under the name of its first list. */
function labels(): Readonly<Record<VendorSourceKey, string>> {
  const all = new Map<string, string>(Object.entries(specified));
  for (const { source, shortLabel } of catalogueLists)
    if (source !== null && !all.has(source)) all.set(source, shortLabel);
  return Object.fromEntries(all) as Record<VendorSourceKey, string>;
}

const vendorLabels = labels();

export const vendorSourceKeys = Object.keys(vendorLabels) as readonly VendorSourceKey[];

/** The sources that publish facts about CVEs; they fill no list. */
const riskLabels: Readonly<Record<RiskSourceKey, string>> = {
  kev: 'Known exploited (CISA KEV)',
  epss: 'EPSS (FIRST)',
  cvss: 'CVSS and SSVC (NVD)',
};

export const sourceLabels: Readonly<Record<SourceKey, string>> = { ...vendorLabels, ...riskLabels };

export const sourceKeys = Object.keys(sourceLabels) as readonly SourceKey[];
