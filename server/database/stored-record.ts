/** What a list's table holds of a record: its row as the wire shows it, its detail, and what names it to people. Read only: entry-writer.ts writes. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition, NewRow } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { columnsOfList } from './list-columns.ts';
import { wireRow } from './stored-row.ts';

export interface RecordContent {
  readonly row: NewRow<Fields>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What decides whether an entry is new, changed or as it was. */
export interface KnownRow {
  readonly id: number;
  readonly natural_key: string;
  readonly content_hash: string;
  readonly part: string;
  readonly withdrawn_time: number | null;
}

/** By natural key, withdrawn rows included. A few thousand keys at a time: no single query shall take long. */
export async function knownRows(
  database: Queryable,
  list: ListDefinition,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const { rows } = await database.query<KnownRow>(
    `select id, natural_key, content_hash, part, withdrawn_time from ${list.key} where natural_key = any($1::text[])`,
    [arrayText(keys)],
  );
  return new Map(rows.map((row) => [row.natural_key, row]));
}

/** Natural keys by row id. */
export async function keysOfRows(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await database.query<{ id: number; natural_key: string }>(
    `select id, natural_key from ${list.key} where id = any($1::bigint[])`,
    [arrayText(rowIds)],
  );
  return new Map(rows.map((row) => [row.id, row.natural_key]));
}

/** By row id. All of it is in memory at once: to be asked for a few hundred rows at a time. */
export async function storedContents(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, RecordContent>> {
  const { rows } = await database.query<Record<string, unknown> & { id: number; detail: Record<string, unknown> | null }>(
    `select id, detail, ${displayColumns(list)} from ${list.key}
     left join entry_detail on entry_detail.list = $1 and entry_detail.row_id = id where id = any($2::bigint[])`,
    [list.key, arrayText(rowIds)],
  );
  return new Map(rows.map(({ detail, ...row }) => [row.id, { row: wireRow(list, row), detail: detail ?? {} }]));
}

/** What `wireRow` needs of a row. */
export function displayColumns(list: ListDefinition): string {
  return columnsOfList(list)
    .filter((columns) => !columns.stamped)
    .map((columns) => columns.column)
    .join(', ');
}

/** The first of the list's identity fields that is not empty, else the key. */
export function identityOf(list: ListDefinition, row: NewRow<Fields>, key: string): string {
  const named = list.identity.map((name) => row[name]).find((value) => value !== undefined && value !== null && value !== '');
  return typeof named === 'string' || typeof named === 'number' ? String(named) : key;
}
