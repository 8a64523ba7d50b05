/** Finds records that can concern a machine, and reads the columns that the reply shows. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { packageLists } from '../platform/database/package-fix-store.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { findRecordsWithAny } from '../platform/database/record-words-store.ts';
import { hasNameSql } from '../platform/database/searched-relation.ts';
import { type RecordContent, readRecordContents } from '../platform/database/stored-record.ts';

export interface RecordReference {
  readonly list: string;
  readonly recordId: number;
}

export interface RecordOfList extends RecordReference {
  /** Identifies the record in every part of an assessment: `almalinux_patch 17`. */
  readonly key: string;
  readonly content: RecordContent;
}

/** Number of records read at once, since their packages may be many. */
const batchSize = 100;

export const toRecordKey = (list: string, recordId: number): string => `${list} ${recordId}`;

const ReferenceRow = z.object({ list: z.string(), recordId: z.number() });

const ListRow = z.object({ list: z.string() });

/**
 * Returns the lists with a record of these releases. Without one, a machine cannot be judged. A release with further words matches too:
 * Ubuntu 14.04 LTS.
 */
export async function findListsOfReleases(
  database: Queryable,
  releases: readonly string[],
): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    ListRow,
    `select given.list from unnest($1::text[]) as given(list) where exists (select from record where record.list = given.list
       and exists (select from unnest(string_to_array(release_folded, E'\\n')) as line, unnest($2::text[]) as release
         where line = release or starts_with(line, release || ' ')))`,
    [arrayText(packageLists.map(({ key }) => key)), arrayText(releases.map(fold))],
  );
  return rows.map(({ list }) => list);
}

const IdRow = z.object({ id: z.number() });

/** Returns the records of a list whose single-valued field has one of the values. */
export async function findRecordsByField(
  database: Queryable,
  list: ListDefinition,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const rows = await queryRows(
    database,
    IdRow,
    `select id from ${list.key} where ${hasNameSql(list, column, '$1')} and withdrawn_time is null order by id`,
    [arrayText(values.map(fold))],
  );
  return readRecords(
    database,
    rows.map(({ id }) => ({ list: list.key, recordId: id })),
    signal,
  );
}

const CountRow = z.object({ count: z.number() });

/** Counts the listed records that {@link findRecordsByField} would find. */
export async function countByField(
  database: Queryable,
  list: ListDefinition,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
): Promise<number> {
  if (values.length === 0) return 0;
  const [row] = await queryRows(
    database,
    CountRow,
    `select count(*)::int as count from ${list.key} where ${hasNameSql(list, column, '$1')} and withdrawn_time is null`,
    [arrayText(values.map(fold))],
  );
  return row?.count ?? 0;
}

/** Returns the records of a list with exactly one of these names. */
export async function findRecordsByName(
  database: Queryable,
  list: ListDefinition,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const ids = await findRecordsWithAny(database, 'names', names.map(fold));
  const references = await queryRows(
    database,
    ReferenceRow,
    'select list, record_id as "recordId" from record where list = $1 and id = any($2::bigint[])',
    [list.key, arrayText(ids)],
  );
  return readRecords(database, references, signal);
}

/** Returns all listed records of a small list. */
export async function readAllRecords(
  database: Queryable,
  list: ListDefinition,
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const rows = await queryRows(
    database,
    IdRow,
    `select id from ${list.key} where withdrawn_time is null order by id`,
  );
  const references = rows.map(({ id }) => ({ list: list.key, recordId: id }));
  return readRecords(database, references, signal);
}

async function readRecords(
  database: Queryable,
  references: readonly RecordReference[],
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const records: RecordOfList[] = [];
  for (const [key, own] of Map.groupBy(references, ({ list }) => list)) {
    const list = getList(key as never);
    for (let from = 0; from < own.length; from += batchSize) {
      signal.throwIfAborted();
      const ids = own.slice(from, from + batchSize).map(({ recordId }) => recordId);
      const contents = await readRecordContents(database, list, ids);
      for (const recordId of ids) {
        const content = contents.get(recordId);
        if (content !== undefined)
          records.push({ key: toRecordKey(key, recordId), list: key, recordId, content });
      }
    }
  }
  return records;
}

const ShownRow = MissingRecord.pick({
  list: true,
  recordId: true,
  identifier: true,
  title: true,
  severity: true,
  exploited: true,
  cvss: true,
  epss: true,
  releaseDate: true,
});
export type ShownRecord = z.infer<typeof ShownRow>;

/** Returns shown columns by key. Severity and risk are those of the record's own product, not of its update as in All patches. */
export async function readShownRecords(
  database: Queryable,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, ShownRecord>> {
  if (records.length === 0) return new Map();
  const rows = await queryRows(
    database,
    ShownRow,
    `select shown.* from unnest($1::text[], $2::bigint[]) as given(list, record_id)
     cross join lateral (select record.list, record.record_id as "recordId", identifier, title, severity,
         exploited, cvss, epss, release_date as "releaseDate"
       from record
       left join record_risk on record_risk.record_id = record.id
       left join record_epss on record_epss.record_id = record.id
       where record.list = given.list and record.record_id = given.record_id offset 0) as shown`,
    [
      arrayText(records.map(({ list }) => list)),
      arrayText(records.map(({ recordId }) => recordId)),
    ],
  );
  return new Map(rows.map((row) => [toRecordKey(row.list, row.recordId), row]));
}
