/** Stores the CVSS scores that vendors state: for each list, CVE and version of CVSS the highest one. See docs/decisions/059. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type CvssVersion, cvssVersions } from '@patch/catalogue/definition/risk-facts.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import {
  comparePreference,
  parseStatedScores,
  type VendorScore,
} from '@patch/catalogue/risk/vendor-scores.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { jsonObject } from '../plain-rows.ts';
import { queryRows } from '../query-rows.ts';
import { withoutNul } from '../rows/stored-row.ts';
import { findRecordsWithAny } from './cve-records-store.ts';

/** The lists whose records state scores. */
export const scoringLists: readonly CatalogueList[] = catalogueLists.filter(
  ({ detail }) => detail.scores !== undefined,
);

const scoringListsByKey = new Map<string, CatalogueList>(
  scoringLists.map((list) => [list.key, list]),
);

/** A score with the record that states it. */
const ScoreRow = z.object({
  /** Folded CVE. */
  cve: z.string(),
  list: z.string(),
  /** Version of CVSS; empty if unknown. */
  version: z.string(),
  score: z.number(),
  vector: z.string().nullable(),
  recordId: z.number(),
  releaseDate: z.number().nullable(),
});
export type ScoreRow = z.infer<typeof ScoreRow>;

const scoreColumns =
  'cve_folded as cve, vendor_score.list, version, score, vector, vendor_score.record_id as "recordId", vendor_score.release_date as "releaseDate"';

export const getScoreKey = ({ cve, list, version }: ScoreRow) => `${cve} ${list} ${version}`;

/** Compares two scores, the preferred one first: the higher one, or among equal ones that of the record released first. */
function compareScores(a: ScoreRow, b: ScoreRow): number {
  const vectors = [a.vector ?? '', b.vector ?? ''] as const;
  // Without both dates their difference is NaN, and the next term decides.
  return (
    b.score - a.score ||
    (a.releaseDate ?? Infinity) - (b.releaseDate ?? Infinity) ||
    (vectors[0] < vectors[1] ? -1 : Number(vectors[0] > vectors[1])) ||
    a.recordId - b.recordId
  );
}

/** Returns the preferred score of each `getScoreKey`. */
export function selectPreferred(rows: Iterable<ScoreRow>): Map<string, ScoreRow> {
  const preferred = new Map<string, ScoreRow>();
  for (const row of rows) {
    const key = getScoreKey(row);
    const before = preferred.get(key);
    if (before === undefined || isPreferred(row, before)) preferred.set(key, row);
  }
  return preferred;
}

export const isPreferred = (a: ScoreRow, b: ScoreRow): boolean => compareScores(a, b) < 0;

/** A score that a record states, before the record has an id. */
export type RecordScore = Omit<ScoreRow, 'recordId'>;

/**
 * Returns the scores that a record states for CVEs that it names.
 * @param cves - Folded CVEs, one per line.
 */
export function readRecordScores(
  list: ListDefinition,
  { cves, releaseDate }: { readonly cves: string | null; readonly releaseDate: number | null },
  detail: Readonly<Record<string, unknown>>,
): readonly RecordScore[] {
  const names = new Set(cves?.split('\n'));
  return parseStatedScores(list, detail).flatMap(
    ({ cve: written, version, score, vector: own }) => {
      const cve = written.toLowerCase();
      const vector = own === null ? null : withoutNul(own);
      return names.has(cve)
        ? { cve, list: list.key, version: version ?? '', score, vector, releaseDate }
        : [];
    },
  );
}

const StatingRow = z.object({
  list: z.string(),
  recordId: z.number(),
  releaseDate: z.number().nullable(),
  cves: z.string().nullable(),
  rows: z.array(jsonObject),
});

/** SQL for the detail table of scores by list; the tables have different names. */
const tableCases = scoringLists
  .map(({ key, detail: { scores } }) => `when '${key}' then detail -> '${scores?.table ?? ''}'`)
  .join(' ');

/** Returns the scores that listed records state for these CVEs (folded). Reads every record that names one. */
export async function readStatedScores(
  tx: Queryable,
  cves: readonly string[],
): Promise<readonly ScoreRow[]> {
  const ids = await findRecordsWithAny(tx, 'cve_folded', cves);
  const records = await queryRows(
    tx,
    StatingRow,
    `select record.list, record.record_id as "recordId", record.release_date as "releaseDate",
       record.cve_folded as cves,
       (select coalesce(json_agg(item), '[]') from json_array_elements(case json_typeof(stating.rows) when 'array' then stating.rows else '[]' end) as item
        where lower(btrim(item ->> 'cve')) = any($1::text[])) as rows
     from record cross join lateral (select case record.list ${tableCases} end as rows) as stating
     where record.id = any($3::bigint[]) and record.list = any($2::text[])`,
    [arrayText(cves), arrayText([...scoringListsByKey.keys()]), arrayText(ids)],
  );
  return records.flatMap(({ list: key, recordId, rows, ...record }) => {
    const list = scoringListsByKey.get(key);
    const detail = { [list?.detail.scores?.table ?? '']: rows };
    const stated = list === undefined ? [] : readRecordScores(list, record, detail);
    return stated.map((score) => ({ ...score, recordId }));
  });
}

/** Returns the list's stored scores of these CVEs (folded) and of these records. */
export async function readListScores(
  tx: Queryable,
  list: string,
  cves: readonly string[],
  recordIds: readonly number[],
): Promise<readonly ScoreRow[]> {
  return queryRows(
    tx,
    ScoreRow,
    `select ${scoreColumns} from vendor_score where list = $1 and cve_folded = any($2::text[])
     union select ${scoreColumns} from vendor_score where list = $1 and record_id = any($3::bigint[])`,
    [list, arrayText(cves), arrayText(recordIds)],
  );
}

/** Returns the stored scores of these CVEs (folded) of all lists. */
export async function readCveScores(
  database: Queryable,
  cves: readonly string[],
): Promise<readonly ScoreRow[]> {
  if (cves.length === 0) return [];
  return queryRows(
    database,
    ScoreRow,
    `select ${scoreColumns} from vendor_score where cve_folded = any($1::text[])`,
    [arrayText(cves)],
  );
}

export async function writeScoreRows(tx: Queryable, rows: readonly ScoreRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vendor_score (cve_folded, list, version, score, vector, record_id, release_date)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::double precision[], $5::text[], $6::bigint[], $7::bigint[])
     on conflict (cve_folded, list, version) do update set score = excluded.score, vector = excluded.vector,
       record_id = excluded.record_id, release_date = excluded.release_date`,
    arrayTexts(rows, 'cve', 'list', 'version', 'score', 'vector', 'recordId', 'releaseDate'),
  );
}

export async function removeScoreRows(tx: Queryable, rows: readonly ScoreRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `delete from vendor_score where (cve_folded, list, version) in (select * from unnest($1::text[], $2::text[], $3::text[]))`,
    arrayTexts(rows, 'cve', 'list', 'version'),
  );
}

/** Scores by CVE (folded), the preferred one first. */
export type VendorScores = ReadonlyMap<string, readonly VendorScore[]>;

export const readVendorScores = async (
  database: Queryable,
  cves: readonly string[],
): Promise<VendorScores> => groupVendorScores(await readCveScores(database, cves));

export function groupVendorScores(rows: readonly ScoreRow[]): VendorScores {
  return new Map(
    [...Map.groupBy(rows, ({ cve }) => cve)].map(([cve, own]) => [
      cve,
      own.map(toVendorScore).toSorted(comparePreference),
    ]),
  );
}

/** Uses the key of a list that only a newer version knows. */
export const toVendorScore = ({ list, version, score, vector }: ScoreRow): VendorScore => ({
  by: scoringListsByKey.get(list)?.detail.scores?.by ?? list,
  version: toVersion(version),
  score,
  vector,
});

const toVersion = (word: string): CvssVersion | null =>
  cvssVersions.find((version) => version === word) ?? null;
