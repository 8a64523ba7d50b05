/** Maps an advisory of the catalogue to a security advisory of CSAF 2.1. See docs/decisions/067. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { isRetracted } from '../machines/judgement/package-record.ts';
import { rowsIn, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import type { AdvisoryPart } from './advisory-fixes.ts';
import { csafFileName, csafYear } from './csaf-file-name.ts';
import { type RecordFix, recordFixes } from './csaf-fixes.ts';
import { CsafProducts } from './csaf-products.ts';
import { csafTracking } from './csaf-tracking.ts';
import type {
  CsafDocument,
  CsafNote,
  CsafPublisher,
  CsafReference,
  CsafTracking,
} from './csaf-types.ts';
import { csafVulnerabilities, type KnownCve } from './csaf-vulnerabilities.ts';
import { highestSeverity } from './highest-severity.ts';

/** When this repository read the records of an advisory, epoch milliseconds. */
export interface AdvisoryTimes {
  /** The first of them. */
  readonly created: number;
  /** The last addition, change or withdrawal. */
  readonly changed: number;
  /** No record of the advisory is listed any more. */
  readonly isWithdrawn: boolean;
}

export interface CsafContext {
  readonly publisher: CsafPublisher;
  /** Where documents are, without a slash at the end: the folder of each year is below it. */
  readonly baseUrl: string;
  /** Who published the advisory: `AlmaLinux`. */
  readonly vendor: string;
  /** Facts of the risk sources by CVE in capitals. */
  readonly known: ReadonlyMap<string, KnownCve>;
}

/**
 * @param list - The list that holds the parts.
 * @param identifier - The vendor's: `ALSA-2025:1517`, `KB5034441`.
 * @param parts - All records of the list with that identifier, at least one.
 */
export function csafDocument(
  list: ListDefinition,
  identifier: string,
  parts: readonly [AdvisoryPart, ...AdvisoryPart[]],
  times: AdvisoryTimes,
  context: CsafContext,
): CsafDocument {
  const { vendor, known } = context;
  const products = new CsafProducts(vendor);
  const fixes = withoutContradiction(
    parts.flatMap((part) => recordFixes(list, identifier, part, products)),
  );
  const vulnerabilities = csafVulnerabilities(fixes, {
    list,
    vendor,
    identifier,
    products,
    known,
  });
  const severity = highestSeverity(list, parts, vendor);
  const document = {
    ...(severity !== null && { aggregate_severity: { text: severity } }),
    category: 'csaf_security_advisory',
    csaf_version: '2.1',
    distribution: { tlp: { label: 'CLEAR' } },
    lang: 'en',
    notes: buildNotes(list, identifier, parts, vendor),
    publisher: context.publisher,
    references: buildReferences(identifier, parts, times, context),
    title: getTitle(identifier, parts[0]),
    tracking: buildTracking(identifier, parts, times, vendor),
  } as const;
  return {
    $schema: 'https://docs.oasis-open.org/csaf/csaf/v2.1/schema/csaf.json',
    document,
    product_tree: products.tree(),
    vulnerabilities,
  };
}

/** A product that one record fixes is not without a fix because the vendor took another record back. */
function withoutContradiction(fixes: readonly RecordFix[]): readonly RecordFix[] {
  const fixed = new Set(
    fixes.filter((fix) => !fix.isRetracted).flatMap(({ products }) => products),
  );
  return fixes.flatMap((fix) => {
    if (!fix.isRetracted) return [fix];
    const products = fix.products.filter((product) => !fixed.has(product));
    return products.length === 0 ? [] : [{ ...fix, products }];
  });
}

function getTitle(identifier: string, { row }: AdvisoryPart): string {
  const stated = wordIn(row, 'title') ?? wordIn(row, 'name') ?? '';
  // The standard recommends titles without the id: Microsoft writes it in parentheses.
  const title = stated.replaceAll(`(${identifier})`, '').replaceAll(/\s+/g, ' ').trim();
  return title === '' ? identifier : title;
}

function buildNotes(
  list: ListDefinition,
  identifier: string,
  parts: readonly AdvisoryPart[],
  vendor: string,
): readonly CsafNote[] {
  const texts = (name: string) => [
    ...new Set(parts.flatMap(({ detail }) => wordIn(detail, name) ?? [])),
  ];
  const issues = new Map(
    parts
      .flatMap(({ detail }) => rowsIn(detail, 'knownIssues'))
      .map((row) => [wordIn(row, 'description') ?? '', wordIn(row, 'kbId')]),
  );
  return [
    ...texts('summary').map((text): CsafNote => ({ category: 'summary', text })),
    ...texts('description').map((text): CsafNote => ({ category: 'description', text })),
    ...[...issues]
      .filter(([text]) => text !== '')
      .map(
        ([text, kb]): CsafNote => ({
          category: 'other',
          text,
          title: kb === null ? 'Known issue' : `Known issue of ${kb}`,
        }),
      ),
    // Installed packages have them, so that a plain comparison would take each for newer than the fix.
    ...(list.key === 'centos_patch'
      ? [
          {
            category: 'other',
            text: 'CentOS states no epochs. Compare the versions with those of installed packages without their epochs.',
            title: 'Epochs',
          } as const,
        ]
      : []),
    {
      category: 'general',
      text: `${vendor} published ${identifier}. This document was made from its records as this catalogue read them; where they differ, the vendor's publication applies.`,
      title: 'Source',
    },
  ];
}

function buildReferences(
  identifier: string,
  parts: readonly AdvisoryPart[],
  { created }: AdvisoryTimes,
  { baseUrl, vendor }: CsafContext,
): readonly CsafReference[] {
  const urls = new Map<string, string>();
  const add = (address: string | null, summary: string) => {
    if (address === null || !URL.canParse(address)) return;
    const url = new URL(address).href;
    if (!urls.has(url)) urls.set(url, summary);
  };
  for (const { row, detail } of parts) {
    const own = `${identifier} of ${vendor}`;
    add(wordIn(detail, 'referenceLink'), own);
    add(wordIn(detail, 'securityContent'), `Security content of ${identifier}`);
    add(wordIn(row, 'supportUrl'), own);
    for (const reference of rowsIn(detail, 'references')) {
      const name = wordIn(reference, 'title') ?? wordIn(reference, 'name');
      add(wordIn(reference, 'address'), name ?? own);
    }
    for (const reference of wordsIn(detail, 'references')) add(reference, own);
  }
  return [
    {
      category: 'self',
      summary: 'This document',
      url: `${baseUrl}/${csafYear(created)}/${csafFileName(identifier)}`,
    },
    ...[...urls].map(([url, summary]) => ({ category: 'external' as const, summary, url })),
  ];
}

function buildTracking(
  identifier: string,
  parts: readonly AdvisoryPart[],
  { created, changed, isWithdrawn }: AdvisoryTimes,
  vendor: string,
): CsafTracking {
  const state = isWithdrawn
    ? `Withdrawn: ${vendor} lists ${identifier} no more.`
    : parts.every(({ detail }) => isRetracted(detail))
      ? `Retracted by ${vendor}.`
      : null;
  const aliases = [
    ...new Set(
      parts.flatMap(({ row, detail }) => [
        ...wordsIn(detail, 'upstreamAdvisories'),
        ...(wordIn(row, 'patchName') === null ? [] : [wordIn(row, 'patchName') ?? '']),
      ]),
    ),
  ].filter((alias) => alias !== identifier);
  return csafTracking({ id: identifier, aliases, created, changed, vendor, state });
}
