/** Maintains the revision of each list, which every change of its records raises. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../database.ts';
import { queryValues } from '../query-rows.ts';

/**
 * Raises the list's revision, which blocks other writers of the list until the transaction ends, and returns the new one. Must be
 * called before the rows are written, which store it. Cached totals are valid for one revision.
 * @param appeared - Number of newly listed rows. Their total is maintained, never counted.
 */
export async function raiseRevision(
  tx: Queryable,
  list: ListDefinition,
  appeared: number,
): Promise<number> {
  const [revision = 0] = await queryValues(
    tx,
    z.number(),
    `insert into list_revision as stored (list, revision, listed) values ($1, 1, $2)
     on conflict (list) do update set revision = stored.revision + 1, listed = stored.listed + excluded.listed returning revision`,
    [list.key, appeared],
  );
  return revision;
}

/** Adds to the number of listed rows. The revision must be raised before, which blocks other writers of the list. */
export async function addToListed(
  tx: Queryable,
  list: ListDefinition,
  appeared: number,
): Promise<void> {
  if (appeared === 0) return;
  await tx.query('update list_revision set listed = listed + $2 where list = $1', [
    list.key,
    appeared,
  ]);
}
