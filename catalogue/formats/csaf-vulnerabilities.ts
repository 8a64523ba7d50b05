/** The vulnerabilities of a CSAF document: one for each CVE that the records of an advisory name. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { type StoredValues, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import type { RecordFix } from './csaf-fixes.ts';
import type { CsafProducts } from './csaf-products.ts';
import {
  addressIn,
  adviceRemediations,
  fixRemediation,
  type StatedRow,
  StatedRows,
} from './csaf-remediations.ts';
import { csafScore, type StatedScore } from './csaf-scores.ts';
import type {
  CsafMetric,
  CsafNote,
  CsafReference,
  CsafRemediation,
  CsafThreat,
  CsafVulnerability,
} from './csaf-types.ts';

/** Facts of the risk sources about a CVE. */
export interface KnownCve {
  readonly title: string | null;
  readonly score: StatedScore | null;
  /** Since when CISA lists it as exploited, epoch milliseconds. */
  readonly exploitedSince: number | null;
}

export interface VulnerabilityContext {
  readonly list: ListDefinition;
  readonly vendor: string;
  readonly identifier: string;
  readonly products: CsafProducts;
  /** By CVE in capitals. */
  readonly known: ReadonlyMap<string, KnownCve>;
}

const cveName = /^CVE-\d{4}-\d{4,19}$/;

/** CVEs in capitals, and other names as they are written; each once. */
export function vulnerabilityNames({ row, detail }: RecordFix['part']): readonly string[] {
  const names = [...wordsIn(detail, 'cve'), ...wordsIn(row, 'cve')].map((name) => {
    const capitals = name.toUpperCase();
    return cveName.test(capitals) ? capitals : name;
  });
  return [...new Set(names)];
}

/** A record without names stands under the name of the advisory, as the schema has no fix without a vulnerability. */
export function csafVulnerabilities(
  fixes: readonly RecordFix[],
  context: VulnerabilityContext,
): readonly CsafVulnerability[] {
  const byName = new Map<string, RecordFix[]>();
  for (const fix of fixes) {
    const names = vulnerabilityNames(fix.part);
    for (const name of names.length === 0 ? [context.identifier] : names) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [fix]);
      else known.push(fix);
    }
  }
  const own = {
    ...context,
    remediations: new Map(fixes.map((fix) => [fix, fixRemediation(fix, context)])),
    scored: new StatedRows('vulnerabilities', fixes),
    questions: new StatedRows('faq', fixes),
    advice: new StatedRows('advice', fixes),
  };
  return [...byName].map(([name, fixesOfCve]) => vulnerability(name, new Set(fixesOfCve), own));
}

interface OwnContext extends VulnerabilityContext {
  readonly remediations: ReadonlyMap<RecordFix, CsafRemediation>;
  readonly scored: StatedRows;
  readonly questions: StatedRows;
  readonly advice: StatedRows;
}

function vulnerability(
  name: string,
  own: ReadonlySet<RecordFix>,
  context: OwnContext,
): CsafVulnerability {
  const fixes = [...own];
  const isCve = cveName.test(name);
  const known = context.known.get(name);
  const rows = context.scored.about(name, own);
  const affected = listAffected(fixes);
  const fixed = unique(
    fixes.filter((fix) => !fix.isRetracted).flatMap(({ products }) => products),
  ).map((product) => product.fixed);
  const title = rows.flatMap(({ values }) => wordIn(values, 'title') ?? [])[0] ?? known?.title;
  const metrics = isCve ? buildMetrics(name, fixes, rows, context) : [];
  const threats = buildThreats(
    rows.map(({ values }) => values),
    known,
  );
  return {
    ...(isCve ? { cve: name } : { ids: [{ system_name: context.vendor, text: name }] }),
    ...(metrics.length > 0 && { metrics }),
    notes: [
      { category: 'summary', text: findSummary(name, fixes, { ...context, title: title ?? null }) },
      ...listQuestions(context.questions.about(name, own)),
      ...otherScore(known?.score ?? null),
    ],
    product_status: { ...(fixed.length > 0 && { fixed }), known_affected: affected },
    ...(isCve && { references: [cveReference(name)] }),
    remediations: [
      ...fixes.flatMap((fix) => context.remediations.get(fix) ?? []),
      ...adviceRemediations(context.advice.about(name, own), context.products),
    ],
    ...(threats.length > 0 && { threats }),
    ...(title !== undefined && title !== null && { title }),
  };
}

export const cveReference = (cve: string): CsafReference => ({
  category: 'external',
  summary: `${cve} in the CVE list`,
  url: `https://www.cve.org/CVERecord?id=${cve}`,
});

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

const listAffected = (fixes: readonly RecordFix[]): readonly string[] =>
  unique(fixes.flatMap(({ products }) => products.map(({ affected }) => affected)));

function findSummary(
  name: string,
  fixes: readonly RecordFix[],
  { identifier, vendor, title }: VulnerabilityContext & { readonly title: string | null },
): string {
  if (name !== identifier)
    return `${identifier} of ${vendor} fixes ${name}${title === null ? '' : `: ${title}`}.`;
  const category = fixes.flatMap(({ part }) => wordIn(part.row, 'category') ?? [])[0];
  const more = category === undefined ? '' : ` The vendor's category is: ${category}.`;
  return `${identifier} of ${vendor} names no CVE.${more}`;
}

/** A score that no metric can carry becomes a note. */
export function otherScore(stated: StatedScore | null): readonly CsafNote[] {
  if (stated === null || csafScore(stated) !== null) return [];
  const score = stated.score === null ? '' : `, score ${stated.score}`;
  return [{ category: 'other', text: `${stated.vector}${score}`, title: 'CVSS' }];
}

/** Questions and answers of Microsoft, each once. */
function listQuestions(rows: readonly StatedRow[]): readonly CsafNote[] {
  const notes = new Map<string, CsafNote>();
  for (const { values } of rows) {
    const text = wordIn(values, 'answer');
    const title = wordIn(values, 'question') ?? 'Question';
    if (text !== null) notes.set(`${title}\n${text}`, { category: 'faq', text, title });
  }
  return [...notes.values()];
}

/** Scores of the vendor by the products that it states them for, and that of the catalogue of CVEs. */
function buildMetrics(
  name: string,
  fixes: readonly RecordFix[],
  rows: readonly StatedRow[],
  { list, known }: VulnerabilityContext,
): readonly CsafMetric[] {
  const metrics = new Map<string, { metric: Omit<CsafMetric, 'products'>; ids: Set<string> }>();
  const add = (stated: StatedScore, source: string | null, ids: readonly string[]) => {
    const content = csafScore(stated);
    if (content === null) return;
    const key = `${stated.vector} ${source}`;
    const own = metrics.get(key) ?? {
      metric: { content, ...(source !== null && { source }) },
      ids: new Set<string>(),
    };
    for (const id of ids) if (!isScored(metrics, content, source, id)) own.ids.add(id);
    if (own.ids.size > 0) metrics.set(key, own);
  };
  const { scores } = list.detail;
  if (scores !== undefined)
    for (const { fix, values } of rows) {
      const vector = wordIn(values, scores.vector);
      const source = addressIn(fix.part.detail, ['referenceLink']);
      if (vector !== null)
        add(
          { vector, score: scoreIn(values, scores.score) },
          source,
          fix.products.map(({ affected }) => affected),
        );
    }
  const own = known.get(name)?.score ?? null;
  if (own !== null) add(own, nvdPage(name), listAffected(fixes));
  return [...metrics.values()].map(({ metric: { content, source }, ids }) => ({
    content,
    products: [...ids],
    ...(source !== undefined && { source }),
  }));
}

export const nvdPage = (cve: string): string => `https://nvd.nist.gov/vuln/detail/${cve}`;

/** A product has one score of a version and source: the first one stated. */
function isScored(
  metrics: ReadonlyMap<string, { metric: Omit<CsafMetric, 'products'>; ids: ReadonlySet<string> }>,
  content: CsafMetric['content'],
  source: string | null,
  id: string,
): boolean {
  const version = Object.keys(content)[0] ?? '';
  return [...metrics.values()].some(
    ({ metric, ids }) =>
      ids.has(id) && (metric.source ?? null) === source && Object.hasOwn(metric.content, version),
  );
}

function scoreIn(values: StoredValues, name: string): number | null {
  const stated = values[name];
  const score = typeof stated === 'string' ? Number(stated) : stated;
  return typeof score === 'number' && Number.isFinite(score) ? score : null;
}

export function buildThreats(
  rows: readonly StoredValues[],
  known: KnownCve | undefined,
): readonly CsafThreat[] {
  const impacts = rows.flatMap((row) => {
    const words = [wordIn(row, 'severity'), wordIn(row, 'impact')].filter((word) => word !== null);
    return words.length === 0 ? [] : [words.join(': ')];
  });
  const stated = rows.flatMap((row) =>
    row['exploited'] === true
      ? 'The vendor knows of its exploitation.'
      : (wordIn(row, 'exploited') ?? []),
  );
  const since = known?.exploitedSince ?? null;
  const listed =
    since === null
      ? []
      : [`CISA lists it as known exploited since ${new Date(since).toISOString().slice(0, 10)}.`];
  return [
    ...unique(impacts).map((details) => ({ category: 'impact' as const, details })),
    ...unique([...stated, ...listed]).map((details) => ({
      category: 'exploit_status' as const,
      details,
    })),
  ];
}
