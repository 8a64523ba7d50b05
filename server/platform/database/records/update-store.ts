/** Stores which record All patches shows of an update, and the values that it has from all records of the update. */
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows } from '../query-rows.ts';
import { columnArrays, columnTypes } from '../rows/column-arrays.ts';
import { searchedColumns } from '../rows/list-columns.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import { recordTable, toStoredColumns } from './list-views.ts';
import { allPatches } from './record-index-row.ts';
import { getRepresentative, mergedColumns, mergeRows } from './update-merge.ts';

const MemberRow = z
  .object({
    id: z.number(),
    list: z.string(),
    record_id: z.number(),
    natural_key: z.string(),
    update_key: z.string(),
    folded: z.boolean(),
    cve_folded: z.string().nullable(),
  })
  // The columns of `memberColumns`.
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.null()]));
type MemberRow = z.infer<typeof MemberRow>;

/** Columns of a record that are merged, or have words of the merged keyword. */
const memberColumns = [
  ...new Set<string>([...mergedColumns, ...searchedColumns(allPatches), 'names', 'vendor']),
];

const updateColumns = ['id', 'update_key', ...mergedColumns] as const;
const types = columnTypes(allPatches);

export interface MergedUpdates {
  /** All listed records of the updates. */
  readonly members: readonly MemberRow[];
  /** What All patches shows of each update. */
  readonly shown: readonly StoredRow[];
}

/** Merges these updates again, after their records were written. Raises the revision of what is shown otherwise. */
export async function mergeUpdates(
  tx: Queryable,
  {
    joined,
    left,
    removed,
    revision,
  }: {
    /** Updates of written records. */
    readonly joined: readonly string[];
    /** Updates that records were of before. Their risk changes, though their values may not. */
    readonly left: readonly string[];
    /** Ids of records that are about to be withdrawn. */
    readonly removed: readonly number[];
    readonly revision: number;
  },
): Promise<MergedUpdates> {
  const keys = [...new Set([...joined, ...left])];
  if (keys.length === 0) return { members: [], shown: [] };
  const parameters = [arrayText(keys)];
  const members = await queryRows(
    tx,
    MemberRow,
    `select id, list, record_id, natural_key, update_key, folded, ${memberColumns.join(', ')}
     from record join (select id, natural_key from ${recordTable}) as keyed using (id)
     where update_key = any($1::text[]) and id <> all($2::bigint[])`,
    [...parameters, arrayText(removed)],
  );
  const stored = await tx.query(
    `select ${updateColumns.join(', ')} from update_values where update_key = any($1::text[])`,
    parameters,
  );
  const former = new Map(stored.rows.map((row) => [String(row['update_key']), row]));
  const shown: StoredRow[] = [];
  const merged: StoredRow[] = [];
  const refolded: number[] = [];
  const changed: number[] = [];
  for (const [key, ofUpdate] of Map.groupBy(members, ({ update_key }) => update_key)) {
    const own = getRepresentative(ofUpdate);
    if (own === undefined) continue;
    refolded.push(...ofUpdate.flatMap((each) => (each.folded === (each !== own) ? [] : each.id)));
    const row = mergeRows(own, ofUpdate);
    shown.push({ ...row, folded: false });
    if (left.includes(key)) changed.push(own.id);
    if (ofUpdate.length < 2) continue;
    const values = toStoredColumns(row, {});
    if (updateColumns.every((column) => former.get(key)?.[column] === values[column]))
      former.delete(key);
    else merged.push(values);
  }
  const replaced = [...former.values()].map(({ id }) => Number(id));
  await replaceValues(tx, replaced, merged);
  changed.push(...replaced, ...merged.map(({ id }) => Number(id)));
  await markShown(tx, refolded, changed, revision);
  return { members, shown };
}

async function replaceValues(
  tx: Queryable,
  replaced: readonly number[],
  merged: readonly StoredRow[],
): Promise<void> {
  if (replaced.length > 0)
    await tx.query('delete from update_values where id = any($1::bigint[])', [arrayText(replaced)]);
  if (merged.length === 0) return;
  const { sql, arrays } = columnArrays(types, merged, updateColumns);
  await tx.query(
    `insert into update_values (${updateColumns.join(', ')}) select * from unnest(${sql})`,
    arrays,
  );
}

/** @param refolded Records that were folded and represent their update now, or the other way round. */
async function markShown(
  tx: Queryable,
  refolded: readonly number[],
  changed: readonly number[],
  revision: number,
): Promise<void> {
  if (refolded.length + changed.length === 0) return;
  await tx.query(
    `update ${recordTable} set folded = folded <> (id = any($1::bigint[])), revision = $3
     where id = any($1::bigint[]) or id = any($2::bigint[])`,
    [arrayText(refolded), arrayText(changed), revision],
  );
}
