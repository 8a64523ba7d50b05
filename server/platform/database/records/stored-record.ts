/** Reads records of a list: row in wire format, detail, display name, fingerprint. entry-writer.ts writes them. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition, NewRow } from '@patch/catalogue/definition/list-definition.ts';
import type { ListedRecord } from '@patch/catalogue/parsers/list-document.ts';
import { z } from 'zod';
import { arrayText, textArray } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { jsonObject } from '../plain-rows.ts';
import { queryRows } from '../query-rows.ts';
import {
  displayShape,
  feedColumnsOfList,
  NaturalKeyRow,
  oncePerList,
} from '../rows/list-columns.ts';
import { wireRow } from '../rows/stored-row.ts';

export interface RecordContent {
  readonly row: NewRow<Fields>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Columns that decide whether an entry is new, changed or unchanged. */
export const KnownRow = z.object({
  id: z.number(),
  natural_key: z.string(),
  content_hash: z.string(),
  part: z.string(),
  withdrawn_time: z.number().nullable(),
});
export type KnownRow = z.infer<typeof KnownRow>;

/** Returns rows by natural key, including withdrawn ones. Pass a few thousand keys at a time to limit the query's time. */
export async function readKnownRows(
  database: Queryable,
  list: ListDefinition,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const rows = await queryRows(
    database,
    KnownRow,
    `select id, natural_key, content_hash, part, withdrawn_time from ${list.key} where natural_key = any($1::text[])`,
    [textArray(keys)],
  );
  return new Map(rows.map((row) => [row.natural_key, row]));
}

/** Returns natural keys by row id. */
export async function readRowKeys(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await queryRows(
    database,
    NaturalKeyRow,
    `select id, natural_key from ${list.key} where id = any($1::bigint[])`,
    [arrayText(rowIds)],
  );
  return new Map(rows.map((row) => [row.id, row.natural_key]));
}

const contentRow = oncePerList((list) =>
  z.object({ ...displayShape(list), id: z.number(), detail: jsonObject.nullable() }),
);

/** Returns contents by row id. Pass a few hundred rows at a time to limit memory. */
export async function readRecordContents(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, RecordContent>> {
  const rows = await queryRows(
    database,
    contentRow(list),
    `select id, detail, ${displayColumns(list)} from ${list.key} where id = any($1::bigint[])`,
    [arrayText(rowIds)],
  );
  return new Map(
    rows.map(({ detail, ...row }) => [row.id, { row: wireRow(list, row), detail: detail ?? {} }]),
  );
}

/** Returns the columns that `wireRow` needs. */
export function displayColumns(list: ListDefinition): string {
  return feedColumnsOfList(list)
    .map((columns) => columns.column)
    .join(', ');
}

/** Returns the first non-empty identity field of the list, else the key. */
export function getRecordIdentity(list: ListDefinition, row: NewRow<Fields>, key: string): string {
  const value = list.identity
    .map((name) => row[name])
    .find((field) => field !== undefined && field !== null && field !== '');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : key;
}

/** Rows in memory at a time: a fingerprint has two short columns, a record all columns and its detail. */
const fingerprintPageSize = 20_000;
const recordPageSize = 200;

interface RecordFingerprint {
  readonly key: string;
  readonly contentHash: string;
}

const FingerprintRow = z.object({ natural_key: z.string(), content_hash: z.string() });

/** Reads the listed records of a list in the order of their natural keys, page by page, as `readListedRecords` does. */
export async function* readFingerprints(
  database: Queryable,
  list: ListDefinition,
): AsyncGenerator<RecordFingerprint> {
  const pages = readPages(
    database,
    list,
    FingerprintRow,
    'natural_key, content_hash',
    fingerprintPageSize,
  );
  for await (const { natural_key: key, content_hash: contentHash } of pages)
    yield { key, contentHash };
}

const recordRow = oncePerList((list) =>
  z.object({ ...displayShape(list), natural_key: z.string(), detail: jsonObject.nullable() }),
);

export async function* readListedRecords(
  database: Queryable,
  list: ListDefinition,
): AsyncGenerator<ListedRecord> {
  const pages = readPages(
    database,
    list,
    recordRow(list),
    `natural_key, detail, ${displayColumns(list)}`,
    recordPageSize,
  );
  for await (const { natural_key: key, detail, ...row } of pages)
    yield { key, row: wireRow(list, row), detail: detail ?? {} };
}

async function* readPages<Row extends { readonly natural_key: string }>(
  database: Queryable,
  { key: table }: ListDefinition,
  schema: z.ZodType<Row>,
  columns: string,
  pageSize: number,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await queryRows(
      database,
      schema,
      `select ${columns} from ${table} where natural_key > $1 and withdrawn_time is null order by natural_key limit ${pageSize}`,
      [after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.natural_key;
  }
}
