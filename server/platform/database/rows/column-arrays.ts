/** Converts rows to one array per column, for `unnest`. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText, jsonArray, textArray } from '../array-text.ts';
import { feedColumnsOfList } from './list-columns.ts';
import type { StoredRow } from './stored-row.ts';

export interface ColumnArrays {
  readonly names: readonly string[];
  /** The arguments of `unnest`: `$1::text[], $2::bigint[] …`. */
  readonly sql: string;
  readonly arrays: (string | Uint8Array)[];
}

/** Expects the same columns in every row. Columns without a type are text. */
export function columnArrays(
  types: ReadonlyMap<string, string>,
  rows: readonly StoredRow[],
  names: readonly string[] = Object.keys(rows[0] ?? {}),
): ColumnArrays {
  return {
    names,
    sql: names.map((name, index) => `$${index + 1}::${types.get(name) ?? 'text'}[]`).join(', '),
    arrays: names.map((name) => {
      const values = rows.map((row) => row[name] ?? null);
      const type = types.get(name) ?? 'text';
      if (type !== 'text' && type !== 'json') return arrayText(values);
      const texts = values.map((value) => (value === null ? null : String(value)));
      return type === 'json' ? jsonArray(texts) : textArray(texts);
    }),
  };
}

/** Returns the SQL types of a list's columns that are not text. */
export function columnTypes(list: ListDefinition): Map<string, string> {
  const types = new Map([
    ['id', 'bigint'],
    ['created_time', 'bigint'],
    ['updated_time', 'bigint'],
    ['revision', 'bigint'],
  ]);
  for (const { column, storage, rank } of feedColumnsOfList(list)) {
    if (storage.type !== 'text') types.set(column, storage.type);
    if (rank !== null) types.set(rank, 'smallint');
  }
  return types;
}
