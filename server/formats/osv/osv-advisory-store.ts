/** Reads advisories of the lists that go out as OSV, each with all its records and what the risk sources say. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  type AdvisoryRisk,
  type OsvRecord,
  osvRecord,
} from '@patch/catalogue/formats/osv-record.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { type RecordReference, toRecordKey } from '../../machines/machine-records-store.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { RecordContent } from '../../platform/database/records/stored-record.ts';
import { hasNameSql } from '../../platform/database/searched-relation.ts';
import { advisoryColumns, lastChangeSql, readContents } from '../advisories/advisory-store.ts';

/** An advisory: the records of a list with one identifier. */
export interface AdvisoryName {
  readonly list: string;
  /** The vendor's, as it is written: `ALSA-2025:1517`. */
  readonly identifier: string;
}

export interface AdvisoryStamp extends AdvisoryName {
  /** When one of its records last changed or was withdrawn, epoch milliseconds. */
  readonly modified: number;
}

const IdentifierRow = z.object({
  list: z.string(),
  recordId: z.number(),
  identifier: z.string(),
});
const TimeRow = z.object({ folded: z.string(), modified: z.number() });

/** The advisories that records belong to, by list and number of the record. Records that have left the index meanwhile are absent. */
export async function advisoriesOfRecords(
  database: Queryable,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, AdvisoryStamp>> {
  const rows = await queryRows(
    database,
    IdentifierRow,
    `select record.list, record.record_id as "recordId", identifier from unnest($1::text[], $2::bigint[]) as wanted(list, record_id)
     join record using (list, record_id) where identifier is not null`,
    [
      arrayText(records.map(({ list }) => list)),
      arrayText(records.map(({ recordId }) => recordId)),
    ],
  );
  const stamps = new Map<string, AdvisoryStamp>();
  for (const [key, own] of Map.groupBy(rows, ({ list }) => list)) {
    const times = await modifiedTimes(
      database,
      getList(key as ListKey),
      own.map(({ identifier }) => identifier),
    );
    for (const { list, recordId, identifier } of own) {
      const modified = times.get(fold(identifier));
      if (modified !== undefined)
        stamps.set(toRecordKey(list, recordId), { list, identifier, modified });
    }
  }
  return stamps;
}

/** When advisories of a list last changed, by folded identifier: also by a record that is listed no more. */
async function modifiedTimes(
  database: Queryable,
  list: ListDefinition,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { folded } = advisoryColumns(list);
  const rows = await queryRows(
    database,
    TimeRow,
    `select ${folded} as folded, ${lastChangeSql} as modified from ${list.key}
     where ${hasNameSql(list, folded, '$1')} group by 1`,
    [arrayText([...new Set(identifiers.map(fold))])],
  );
  return new Map(rows.map((row) => [row.folded, row.modified]));
}

const PartRow = z.object({
  id: z.number(),
  identifier: z.string(),
  withdrawn: z.number().nullable(),
  exploited: z.boolean().nullable(),
  epss: z.number().nullable(),
});
type PartRow = z.infer<typeof PartRow>;

/** Listed records of the advisories; withdrawn ones of those that have no listed record. */
async function partRows(
  database: Queryable,
  list: ListDefinition,
  identifiers: readonly string[],
): Promise<readonly PartRow[]> {
  const { column, folded } = advisoryColumns(list);
  const read = (which: string, names: readonly string[]) =>
    queryRows(
      database,
      PartRow,
      `select id, ${column} as identifier, withdrawn_time as withdrawn, exploited, epss from ${list.key}
       left join record_risk on record_risk.record_id = id
       left join record_epss on record_epss.record_id = id
       where ${hasNameSql(list, folded, '$1')} and withdrawn_time is ${which} order by natural_key`,
      [arrayText(names.map(fold))],
    );
  const listed = await read('null', identifiers);
  const found = new Set(listed.map(({ identifier }) => fold(identifier)));
  const others = identifiers.filter((identifier) => !found.has(fold(identifier)));
  return others.length === 0 ? listed : [...listed, ...(await read('not null', others))];
}

/**
 * Reads OSV records of one list, in the order of the identifiers; those without a record are left out. Everything is in memory at
 * once: pass at most a hundred.
 */
export async function osvRecords(
  database: Queryable,
  list: ListDefinition,
  identifiers: readonly string[],
): Promise<readonly OsvRecord[]> {
  const rows = await partRows(database, list, identifiers);
  const parts = await readContents(database, list, rows);
  const times = await modifiedTimes(database, list, identifiers);
  const vectors = await cvssVectors(
    database,
    parts.flatMap(({ detail }) => cvesIn(detail)),
  );
  const byName = Map.groupBy(parts, ({ identifier }) => fold(identifier));
  return identifiers.flatMap((identifier) => {
    const [first, ...others] = byName.get(fold(identifier)) ?? [];
    const modified = times.get(fold(identifier));
    if (first === undefined || modified === undefined) return [];
    const risk = toRisk([first, ...others], vectors);
    return [osvRecord(list, { identifier: first.identifier, modified }, [first, ...others], risk)];
  });
}

function toRisk(
  parts: readonly (PartRow & RecordContent)[],
  vectors: ReadonlyMap<string, ScoredVector>,
): AdvisoryRisk {
  const scored = [...new Set(parts.flatMap(({ detail }) => cvesIn(detail)))]
    .flatMap((cve) => vectors.get(fold(cve)) ?? [])
    .toSorted((a, b) => b.cvss - a.cvss);
  const epss = parts.flatMap((part) => part.epss ?? []);
  const exploited = parts.flatMap((part) => part.exploited ?? []);
  return {
    vectors: scored.map(({ vector }) => vector),
    isExploited: exploited.length === 0 ? null : exploited.includes(true),
    epss: epss.length === 0 ? null : Math.max(...epss),
  };
}

function cvesIn({ cve }: RecordContent['detail']): readonly string[] {
  return Array.isArray(cve) ? cve.filter((name) => typeof name === 'string') : [];
}

const ScoredVector = z.object({ cve: z.string(), cvss: z.number(), vector: z.string() });
type ScoredVector = z.infer<typeof ScoredVector>;

/** By folded name of the CVE. */
async function cvssVectors(
  database: Queryable,
  cves: readonly string[],
): Promise<ReadonlyMap<string, ScoredVector>> {
  const rows = await queryRows(
    database,
    ScoredVector,
    `select cve_folded as cve, cvss, cvss_vector as vector from vulnerability
     where cve_folded = any($1::text[]) and cvss is not null and cvss_vector is not null`,
    [arrayText([...new Set(cves.map(fold))])],
  );
  return new Map(rows.map((row) => [row.cve, row]));
}
