/** Reads natural keys and display names of listed records, in windows of ids. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { displayShape, NaturalKeyRow, oncePerList } from '../rows/list-columns.ts';
import { wireRow } from '../rows/stored-row.ts';
import { displayColumns, getRecordIdentity } from './stored-record.ts';

const windowSize = 20_000;

/** Returns the ids of a part's listed rows by natural key. Windows of ids limit the time of each query. */
export async function readKeysOfPart(
  database: Queryable,
  list: ListDefinition,
  part: string,
): Promise<ReadonlyMap<string, number>> {
  const keys = new Map<string, number>();
  const [last] = await queryValues(
    database,
    z.number().nullable(),
    `select max(id) from ${list.key}`,
  );
  for (let from = 0; from < (last ?? 0); from += windowSize) {
    const rows = await queryRows(
      database,
      NaturalKeyRow,
      `select id, natural_key from ${list.key} where id > $1 and id <= $2 and part = $3 and withdrawn_time is null order by id`,
      [from, from + windowSize, part],
    );
    for (const row of rows) keys.set(row.natural_key, row.id);
  }
  return keys;
}

const identityRow = oncePerList((list) =>
  z.object({ ...displayShape(list), natural_key: z.string() }),
);

/** Returns the display names of these rows. */
export async function readIdentities(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<string[]> {
  const rows = await queryRows(
    database,
    identityRow(list),
    `select natural_key, ${displayColumns(list)} from ${list.key} where id = any($1::bigint[]) order by id`,
    [arrayText(rowIds)],
  );
  return rows.map((row) => getRecordIdentity(list, wireRow(list, row), row.natural_key));
}

/** Returns those of the natural keys that are listed. */
export async function findListedKeys(
  database: Queryable,
  list: ListDefinition,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < keys.length; from += windowSize) {
    const listed = await queryValues(
      database,
      z.string(),
      `select natural_key from ${list.key} where natural_key = any($1::text[]) and withdrawn_time is null`,
      [arrayText(keys.slice(from, from + windowSize))],
    );
    for (const key of listed) known.add(key);
  }
  return known;
}
