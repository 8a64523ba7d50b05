import type { CvssScorer } from '../definition/risk-facts.ts';

const names: Readonly<Record<CvssScorer | 'vendor', (source: string) => string>> = {
  nvd: () => 'NVD',
  cna: (source) => `CNA (${nameAuthority(source)})`,
  cisa: () => 'CISA',
  other: nameAuthority,
  vendor: (source) => `Vendor (${source})`,
};

/**
 * Returns who assigned a CVSS score, in words.
 * @param source an address or UUID as NVD writes it, or the name of a vendor
 */
export const formatScorerName = (scorer: CvssScorer | 'vendor', source: string): string =>
  names[scorer](source);

/**
 * Organisations that NVD writes as a UUID; its files contain no names.
 * @see https://www.cve.org/PartnerInformation/ListofPartners
 */
const organisations: Readonly<Record<string, string>> = {
  '0cbda920-cd7f-484a-8e76-bf7f4b7f4516': 'INCIBE',
  '134c704f-9b21-4f2e-91b3-4a467353bcc0': 'CISA',
  '14ed7db2-1595-443d-9d34-6215bf890778': 'Google',
  '1e47fe04-f25f-42fa-b674-36de2c5e3cfc': 'HCL Software',
  '3af57064-a867-422c-b2ad-40307b65c458': 'Samsung Mobile',
  '416baaa9-dc9f-4396-8d5f-8c081fb06d67': 'kernel.org',
  '8cbe9d5a-a066-4c94-8978-4b15efeae968': 'Juniper Networks',
  '9302f53e-dde5-4bf3-b2f2-a83f91ac0eee': 'Mattermost',
  'bec8025f-a851-46e5-b3a3-058e6b0aa23c': 'Nozomi Networks',
  'cb8f1db9-b4b1-487b-a760-f65c4f368d8e': 'OpenAnolis',
  'cded6c7f-6ce5-4948-8f87-aa7a3bbb6b0e': 'TWCERT/CC',
  'cec7a2ec-15b4-4faf-bd53-b40f371f3a77': 'Siemens',
  'e4686d1a-f260-4930-ac4c-2f5c992778dd': 'SAP',
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Names an organisation by its domain, or by a known UUID. An unknown UUID says nothing to people. */
function nameAuthority(source: string): string {
  if (uuid.test(source)) return organisations[source.toLowerCase()] ?? 'organisation not known';
  return source.includes('@') ? source.slice(source.lastIndexOf('@') + 1) : source;
}
