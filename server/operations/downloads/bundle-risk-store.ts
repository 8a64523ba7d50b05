/** Reads the facts of risk sources about CVEs as lines of a bundle, and defines the form of those lines. */
import {
  type CveRecord,
  cvssVersions,
  type EpssScore,
  type KnownExploited,
  type RiskFacts,
  type RiskSourceKey,
} from '@patch/catalogue/definition/risk-facts.ts';
import { z } from 'zod';
import { countRows } from '../../platform/database/counted-rows.ts';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { SinceRun } from './bundle-rows-store.ts';

/**
 * Known exploited vulnerabilities and EPSS scores are always exported in full: they are small, and only a full export shows
 * removed ones. NVD never removes a CVE.
 */
export const isAlwaysComplete = (source: RiskSourceKey): boolean => source !== 'cvss';

const factsSql: Readonly<Record<RiskSourceKey, string>> = {
  kev: 'select kev::text as facts from vulnerability where kev is not null',
  epss: `select json_build_object('kind', 'epss', 'cve', upper(cve_folded), 'epss', epss, 'percentile', percentile)::text as facts from epss_score`,
  cvss: 'select cve_record::text as facts from vulnerability where cve_record is not null',
};

/** Counting a row's records also updates it, so more rows than NVD changed may be exported. */
function selectSql(source: RiskSourceKey, since: SinceRun | null): string {
  return since === null || isAlwaysComplete(source)
    ? factsSql[source]
    : `${factsSql[source]} and updated_time >= ${since.startedAt}`;
}

export const countRiskLines = (
  tx: Queryable,
  source: RiskSourceKey,
  since: SinceRun | null,
): Promise<number> => countRows(tx, `(${selectSql(source, since)}) as chosen`);

const FactsRow = z.object({ facts: z.string() });

/** Yields lines of JSON without line feeds. Requires a transaction. */
export async function* readRiskLines(
  tx: Queryable,
  source: RiskSourceKey,
  since: SinceRun | null,
): AsyncGenerator<readonly string[]> {
  const select = `${selectSql(source, since)} order by cve_folded`;
  for await (const rows of cursorRows(tx, FactsRow, select, ({ facts }) => facts.length + 100))
    yield rows.map(({ facts }) => facts);
}

const cve = z.string().regex(/^CVE-\d{4}-\d{4,19}$/);
const time = z.number().int();
const share = z.number().min(0).max(1);
const word = z.string().nullable();

const KnownExploitedLine: z.ZodType<KnownExploited> = z.strictObject({
  kind: z.literal('kev'),
  cve,
  vendorProject: z.string(),
  product: z.string(),
  name: z.string(),
  description: z.string(),
  requiredAction: z.string(),
  dateAdded: time,
  dueDate: time.nullable(),
  ransomware: z.boolean().nullable(),
  notes: z.string(),
  cwes: z.array(z.string()),
});

const EpssLine: z.ZodType<EpssScore> = z.strictObject({
  kind: z.literal('epss'),
  cve,
  epss: share,
  percentile: share.nullable(),
});

const CveRecordLine: z.ZodType<CveRecord> = z.strictObject({
  kind: z.literal('cvss'),
  cve,
  description: z.string(),
  status: z.string(),
  rejected: z.boolean(),
  published: time.nullable(),
  lastModified: time.nullable(),
  scores: z.array(
    z.strictObject({
      version: z.enum(cvssVersions),
      score: z.number().min(0).max(10),
      vector: word,
      severity: word,
      scorer: z.enum(['nvd', 'cna', 'cisa', 'other']),
      source: z.string(),
    }),
  ),
  ssvc: z
    .strictObject({
      exploitation: word,
      automatable: word,
      technicalImpact: word,
      version: word,
      decidedOn: time.nullable(),
    })
    .nullable(),
});

export const riskLineSchemas: Readonly<Record<RiskSourceKey, z.ZodType<RiskFacts>>> = {
  kev: KnownExploitedLine,
  epss: EpssLine,
  cvss: CveRecordLine,
};
