/** Finds records that can concern a machine, and reads the columns that replies show and installation commands need. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { MissingRecord } from '@patch/contract/fleet/assessment-endpoint.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../platform/database/array-text.ts';
import { findRecordsWithAny } from '../platform/database/cves/cve-records-store.ts';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows, queryValues } from '../platform/database/query-rows.ts';
import { packageLists } from '../platform/database/records/package-fix-store.ts';
import {
  type RecordContent,
  readRecordContents,
} from '../platform/database/records/stored-record.ts';
import { feedColumnsOfList } from '../platform/database/rows/list-columns.ts';
import { hasNameSql, riskJoins } from '../platform/database/searched-relation.ts';

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

/**
 * Returns the lists with a record of these releases. Without one, a machine cannot be judged. A release with further words matches too:
 * Ubuntu 14.04 LTS.
 */
export const findListsOfReleases = (
  database: Queryable,
  releases: readonly string[],
): Promise<readonly string[]> =>
  queryValues(
    database,
    z.string(),
    `select given.list from unnest($1::text[]) as given(list) where exists (select from record where record.list = given.list
       and exists (select from unnest(string_to_array(release_folded, E'\\n')) as line, unnest($2::text[]) as release
         where line = release or starts_with(line, release || ' ')))`,
    [...arrayTexts(packageLists, 'key'), arrayText(releases.map(fold))],
  );

/** Returns the records of a list whose single-valued field has one of the values. */
export async function findRecordsByField(
  database: Queryable,
  list: ListDefinition,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const ids = await queryValues(
    database,
    z.number(),
    `select id from ${list.key} where ${hasNameSql(list, column, '$1')} and withdrawn_time is null order by id`,
    [arrayText(values.map(fold))],
  );
  return readRecords(database, list, ids, signal);
}

/** Counts the listed records that {@link findRecordsByField} would find. */
export async function countByField(
  database: Queryable,
  list: ListDefinition,
  { column, values }: { readonly column: string; readonly values: readonly string[] },
): Promise<number> {
  if (values.length === 0) return 0;
  const [count = 0] = await queryValues(
    database,
    z.number(),
    `select count(*)::int from ${list.key} where ${hasNameSql(list, column, '$1')} and withdrawn_time is null`,
    [arrayText(values.map(fold))],
  );
  return count;
}

/** Returns the records of a list with exactly one of these names. */
export async function findRecordsByName(
  database: Queryable,
  list: ListDefinition,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const found = await findRecordsWithAny(database, 'names', names.map(fold));
  const ids = await queryValues(
    database,
    z.number(),
    'select record_id from record where list = $1 and id = any($2::bigint[])',
    [list.key, arrayText(found)],
  );
  return readRecords(database, list, ids, signal);
}

/** Returns all listed records of a small list. */
export async function readAllRecords(
  database: Queryable,
  list: ListDefinition,
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const ids = await queryValues(
    database,
    z.number(),
    `select id from ${list.key} where withdrawn_time is null order by id`,
  );
  return readRecords(database, list, ids, signal);
}

/** Reads records of a list by id, withdrawn ones too, in the order of the ids. */
export async function readRecords(
  database: Queryable,
  list: ListDefinition,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly RecordOfList[]> {
  const records: RecordOfList[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    signal.throwIfAborted();
    const batch = ids.slice(from, from + batchSize);
    const contents = await readRecordContents(database, list, batch);
    for (const recordId of batch) {
      const content = contents.get(recordId);
      const key = toRecordKey(list.key, recordId);
      if (content !== undefined) records.push({ key, list: list.key, recordId, content });
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
    `select record.list, record.record_id as "recordId", identifier, title, severity, exploited, cvss, epss, release_date as "releaseDate"
     from record ${riskJoins('record')} where record.id = any($1::bigint[])`,
    arrayTexts(records, 'recordId'),
  );
  return new Map(rows.map((row) => [toRecordKey(row.list, row.recordId), row]));
}

interface InstallableRecord {
  /** The name of the record in the package manager; null without one. */
  readonly installedBy: string | null;
  /** The required restart, as a sentence; null if none. */
  readonly restart: string | null;
}

const FactsRow = z.object({
  id: z.number(),
  installedBy: z.string().nullable(),
  reboot: z.boolean().nullable(),
  relogin: z.boolean().nullable(),
  restart: z.boolean().nullable(),
});

/** Returns facts by the record's key. */
export async function readInstallableRecords(
  database: Queryable,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, InstallableRecord>> {
  const found = new Map<string, InstallableRecord>();
  for (const [key, own] of Map.groupBy(records, ({ list }) => list)) {
    const rows = await queryRows(
      database,
      FactsRow,
      // A detail with the packages of a kernel is long: it is parsed once for all flags.
      `select id, ${nameSql(getList(key as never))} as "installedBy", "rebootSuggested" = 'true' as reboot, "reloginSuggested" = 'true' as relogin,
         "restartSuggested" = 'true' as restart
       from ${key} cross join json_to_record(detail) as flags("rebootSuggested" text, "reloginSuggested" text, "restartSuggested" text)
       where id = any($1::bigint[])`,
      arrayTexts(own, 'recordId'),
    );
    for (const { id, installedBy, ...flags } of rows)
      found.set(toRecordKey(key, id), { installedBy, restart: toRestart(flags) });
  }
  return found;
}

/** Returns SQL for the vendor's name of the record. zypper installs patches by another name than that of their announcement. */
function nameSql(list: ListDefinition): string {
  const names = Object.hasOwn(list.fields, 'patchName') ? ['patchName'] : list.identity;
  const columns = feedColumnsOfList(list).filter(
    ({ field, storage }) => names.includes(field) && storage.type === 'text',
  );
  const inOrder = names.flatMap((name) => columns.find(({ field }) => field === name) ?? []);
  return `coalesce(${inOrder.map(({ column }) => `nullif(${column}, '')`).join(', ')})`;
}

function toRestart({
  reboot,
  relogin,
  restart,
}: Pick<z.infer<typeof FactsRow>, 'reboot' | 'relogin' | 'restart'>): string | null {
  if (reboot === true) return 'Reboot';
  if (relogin === true) return 'Log in again';
  return restart === true ? 'Restart what was updated' : null;
}
