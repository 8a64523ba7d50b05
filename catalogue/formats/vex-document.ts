/** Maps what a vendor says of a CVE that no version fixes to a VEX document of CSAF 2.1. See docs/decisions/067. */
import type { StatusWord } from '../definition/package-status.ts';
import type { CsafContext } from './csaf-document.ts';
import { csafFileName, csafYear } from './csaf-file-name.ts';
import { CsafProducts } from './csaf-products.ts';
import { csafScore } from './csaf-scores.ts';
import { csafTracking } from './csaf-tracking.ts';
import type {
  CsafDocument,
  CsafMetric,
  CsafRemediation,
  CsafThreat,
  CsafVulnerability,
} from './csaf-types.ts';
import { buildThreats, cveReference, nvdPage, otherScore } from './csaf-vulnerabilities.ts';

export interface VexStatement {
  readonly release: string;
  /** The source package. */
  readonly package: string;
  readonly word: StatusWord;
}

export interface VexSubject {
  /** The key of the source: `debian`. */
  readonly source: string;
  /** In capitals. */
  readonly cve: string;
}

/** When this repository read the statements, epoch milliseconds. */
export interface VexTimes {
  readonly created: number;
  readonly changed: number;
}

interface VexSource {
  readonly vendor: string;
  readonly family: 'rpm' | 'deb';
  /** The vendor's page about a CVE, without the CVE. */
  readonly page: string;
}

const vexSources: ReadonlyMap<string, VexSource> = new Map([
  [
    'debian',
    {
      vendor: 'Debian',
      family: 'deb',
      page: 'https://security-tracker.debian.org/tracker/',
    },
  ],
]);

export const vexSourceKeys: readonly string[] = [...vexSources.keys()];

export const vexIdentifier = ({ source, cve }: VexSubject): string =>
  `${source.toUpperCase()}-${cve}`;

/** Returns null for a file that has no name of a VEX document. */
export function readVexFileName(fileName: string): VexSubject | null {
  const [, source = '', cve = ''] = /^([a-z]+)-(cve-\d{4}-\d{4,19})\.json$/.exec(fileName) ?? [];
  return vexSources.has(source) ? { source, cve: cve.toUpperCase() } : null;
}

/** Returns null for a source that publishes no statements. */
export function vexDocument(
  subject: VexSubject,
  statements: readonly [VexStatement, ...VexStatement[]],
  { created, changed }: VexTimes,
  { publisher, baseUrl, known }: Omit<CsafContext, 'vendor'>,
): CsafDocument | null {
  const { cve } = subject;
  const source = vexSources.get(subject.source);
  if (source === undefined) return null;
  const { vendor, page } = source;
  const id = vexIdentifier(subject);
  const products = new CsafProducts(vendor);
  const vulnerability = vexVulnerability(cve, statements, { source, products, known });
  return {
    $schema: 'https://docs.oasis-open.org/csaf/csaf/v2.1/schema/csaf.json',
    document: {
      category: 'csaf_vex',
      csaf_version: '2.1',
      distribution: { tlp: { label: 'CLEAR' } },
      lang: 'en',
      notes: [
        {
          category: 'general',
          text: `${vendor} publishes these statuses. This document was made from them as this catalogue read them; where they differ, the vendor's publication applies. Releases for which ${vendor} has a fix are in its advisories.`,
          title: 'Source',
        },
      ],
      publisher,
      references: [
        {
          category: 'self',
          summary: 'This document',
          url: `${baseUrl}/${csafYear(created)}/${csafFileName(id)}`,
        },
        { category: 'external', summary: `${cve} at ${vendor}`, url: `${page}${cve}` },
      ],
      title: `${cve} in ${listPackages(statements)} of ${vendor}`,
      tracking: csafTracking({ id, aliases: [], created, changed, vendor, state: null }),
    },
    product_tree: products.tree(),
    vulnerabilities: [vulnerability],
  };
}

const listPackages = (statements: readonly VexStatement[]): string =>
  [...new Set(statements.map((one) => one.package))].join(', ');

interface VexContext extends Pick<CsafContext, 'known'> {
  readonly source: VexSource;
  readonly products: CsafProducts;
}

function vexVulnerability(
  cve: string,
  statements: readonly VexStatement[],
  { source, products, known }: VexContext,
): CsafVulnerability {
  const ids = new Map(
    [...Map.groupBy(statements, ({ word }) => word)].map(([word, own]) => [
      word,
      own.map((one) => products.sourcePackage(one.release, source.family, one.package)),
    ]),
  );
  const notAffected = ids.get('not_affected');
  const underInvestigation = ids.get('undetermined');
  const remediations = buildRemediations(ids, source.vendor, products);
  const affected = remediations.flatMap(({ word }) => ids.get(word) ?? []);
  const facts = known.get(cve);
  const title = facts?.title ?? null;
  const metrics = buildMetrics(cve, affected, facts?.score ?? null);
  const threats: readonly CsafThreat[] = [
    ...(notAffected === undefined
      ? []
      : [
          {
            category: 'impact' as const,
            details: `${source.vendor} marks the package as not affected in this release.`,
            ...products.scope(notAffected),
          },
        ]),
    ...buildThreats([], facts),
  ];
  return {
    cve,
    ...(metrics.length > 0 && { metrics }),
    notes: [
      { category: 'summary', text: `${cve} in ${listPackages(statements)} of ${source.vendor}.` },
      ...otherScore(facts?.score ?? null),
    ],
    product_status: {
      ...(affected.length > 0 && { known_affected: affected }),
      ...(notAffected !== undefined && { known_not_affected: notAffected }),
      ...(underInvestigation !== undefined && { under_investigation: underInvestigation }),
    },
    references: [cveReference(cve)],
    ...(remediations.length > 0 && {
      remediations: remediations.map(({ remediation }) => remediation),
    }),
    ...(threats.length > 0 && { threats }),
    ...(title !== null && { title }),
  };
}

function buildRemediations(
  ids: ReadonlyMap<StatusWord, readonly string[]>,
  vendor: string,
  products: CsafProducts,
): readonly { readonly word: StatusWord; readonly remediation: CsafRemediation }[] {
  const words = [
    ['open', 'none_available', `${vendor} has no fixed version.`],
    ['postponed', 'none_available', `${vendor} postponed the fix to a later update.`],
    ['ignored', 'no_fix_planned', `${vendor} plans no fix: it marks the vulnerability as ignored.`],
  ] as const;
  return words.flatMap(([word, category, details]) => {
    const own = ids.get(word);
    return own === undefined
      ? []
      : [{ word, remediation: { category, details, ...products.scope(own) } }];
  });
}

function buildMetrics(
  cve: string,
  products: readonly string[],
  stated: Parameters<typeof csafScore>[0] | null,
): readonly CsafMetric[] {
  const content = stated === null ? null : csafScore(stated);
  if (content === null || products.length === 0) return [];
  return [{ content, products, source: nvdPage(cve) }];
}
