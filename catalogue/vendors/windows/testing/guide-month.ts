/** Writes a month of the security update guide in Microsoft's format, limited to what a test needs. */
import type { Document } from '../../../definition/feed.ts';
import { documentFrom } from '../../../testing/document-from.ts';

export interface GuideFix {
  readonly kb: string;
  /** Product ids. */
  readonly products: readonly string[];
  readonly supersedes?: string;
  readonly build?: string;
  readonly type?: string;
  readonly cve?: string;
  /** Answer of the vulnerability's FAQ. */
  readonly faq?: string;
}

export interface GuideMonth {
  /** '2024-Jan' */
  readonly id: string;
  /** As written; the document has no date when absent. */
  readonly date?: string;
  /** Names by product id. */
  readonly products: Readonly<Record<string, string>>;
  readonly fixes: readonly GuideFix[];
}

/** Each fix is a separate vulnerability. */
export function createGuideMonth({ id, date, products, fixes }: GuideMonth): Document {
  const tree = Object.entries(products).map(
    ([product, name]) =>
      `<prod:FullProductName ProductID="${product}">${name}</prod:FullProductName>`,
  );
  const text = `<?xml version="1.0"?>
<cvrf:cvrfdoc xmlns:cvrf="http://www.icasi.org/CVRF/schema/cvrf/1.1" xmlns:prod="http://www.icasi.org/CVRF/schema/prod/1.1" xmlns:vuln="http://www.icasi.org/CVRF/schema/vuln/1.1">
  <cvrf:DocumentTracking>
    <cvrf:Identification><cvrf:ID>${id}</cvrf:ID></cvrf:Identification>
    ${date === undefined ? '' : `<cvrf:InitialReleaseDate>${date}</cvrf:InitialReleaseDate>`}
  </cvrf:DocumentTracking>
  <prod:ProductTree>
    <prod:Branch Type="Vendor" Name="Microsoft"><prod:Branch Type="Product Family" Name="Windows">${tree.join('')}</prod:Branch></prod:Branch>
  </prod:ProductTree>
  ${fixes.map((fix, index) => vulnerability(fix, `CVE-2024-${10_000 + index}`)).join('\n  ')}
</cvrf:cvrfdoc>`;
  return documentFrom(`https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/${id}`, text);
}

function vulnerability(
  { kb, products, supersedes, build, type, cve, faq }: GuideFix,
  ownCve: string,
): string {
  const ids = products.map((product) => `<vuln:ProductID>${product}</vuln:ProductID>`).join('');
  const word = (name: string, value: string | undefined) =>
    value === undefined ? '' : `<vuln:${name}>${value}</vuln:${name}>`;
  const notes =
    faq === undefined
      ? ''
      : `<vuln:Notes><vuln:Note Title="FAQ" Type="FAQ" Ordinal="10">&lt;p&gt;${faq}&lt;/p&gt;</vuln:Note></vuln:Notes>`;
  return `<vuln:Vulnerability>${notes}<vuln:CVE>${cve ?? ownCve}</vuln:CVE><vuln:Remediations>
    <vuln:Remediation Type="Vendor Fix"><vuln:Description>${kb.replace('KB', '')}</vuln:Description>${ids}${word('Supercedence', supersedes)}${word('SubType', type)}${word('FixedBuild', build)}</vuln:Remediation>
  </vuln:Remediations></vuln:Vulnerability>`;
}
