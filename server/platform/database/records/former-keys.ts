/** Finds rows with a former natural key of an entry and changes their key, so that the record retains its id. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows } from '../query-rows.ts';

/** An entry with former natural keys, in order of preference. */
export interface RenamedEntry {
  readonly key: string;
  readonly formerKeys: readonly string[];
}

const KeyedRow = z.object({
  id: z.number(),
  natural_key: z.string(),
  withdrawn_time: z.number().nullable(),
});
type KeyedRow = z.infer<typeof KeyedRow>;

interface Renaming {
  readonly row: KeyedRow;
  readonly key: string;
}

/**
 * Runs inside the caller's transaction. Skips an entry whose key exists already. Does not change content or the list's revision.
 * @param isClaimed - Returns true for keys of other entries of the same reading, whose rows are not taken.
 * @returns the number of changed keys.
 */
export async function adoptFormerKeys(
  tx: Queryable,
  list: ListDefinition,
  entries: readonly RenamedEntry[],
  isClaimed: (key: string) => boolean,
): Promise<number> {
  const renamings = await findRenamings(tx, list, entries, isClaimed);
  if (renamings.length === 0) return 0;
  const ids = arrayText(renamings.map(({ row }) => row.id));
  await tx.query(
    `insert into feed_former_key (list, key, row_id) select $1, * from unnest($2::text[], $3::bigint[])
     on conflict (list, key) do update set row_id = excluded.row_id`,
    [list.key, arrayText(renamings.map(({ row }) => row.natural_key)), ids],
  );
  await tx.query(
    `update ${list.key} as stored set natural_key = renamed.key from unnest($1::bigint[], $2::text[]) as renamed(id, key)
     where stored.id = renamed.id`,
    [ids, arrayText(renamings.map(({ key }) => key))],
  );
  return renamings.length;
}

/** Returns the rows that would get a new key, without writing. */
export async function findRenamings(
  database: Queryable,
  list: ListDefinition,
  entries: readonly RenamedEntry[],
  isClaimed: (key: string) => boolean,
): Promise<readonly Renaming[]> {
  const renamed = entries.filter(({ formerKeys }) => formerKeys.length > 0);
  if (renamed.length === 0) return [];
  const keys = new Set(renamed.flatMap(({ key, formerKeys }) => [key, ...formerKeys]));
  const rows = await queryRows(
    database,
    KeyedRow,
    `select id, natural_key, withdrawn_time from ${list.key} where natural_key = any($1::text[])`,
    [arrayText([...keys])],
  );
  const byKey = new Map(rows.map((row) => [row.natural_key, row]));
  const taken = new Set<string>();
  return renamed.flatMap(({ key, formerKeys }) => {
    if (byKey.has(key) || taken.has(key)) return [];
    const former = formerKeys.flatMap((name) =>
      isClaimed(name) || taken.has(name) ? [] : (byKey.get(name) ?? []),
    );
    const row = former.find(({ withdrawn_time }) => withdrawn_time === null) ?? former[0];
    if (row === undefined) return [];
    taken.add(row.natural_key).add(key);
    return [{ row, key }];
  });
}
