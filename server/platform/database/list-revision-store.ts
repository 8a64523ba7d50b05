/** The revision of each list: raised by everything that changes its records. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';

const RevisionRow = z.object({ revision: z.number() });

/**
 * Raises the list's revision, which blocks other writers of the list until the transaction ends, and returns the new one. Call it
 * before the rows are written, and store it in them. Cached totals are valid for one revision; the number of listed rows is
 * maintained, never counted: `appeared` is added to it.
 */
export async function raiseRevision(
  tx: Queryable,
  list: ListDefinition,
  appeared: number,
): Promise<number> {
  const rows = await queryRows(
    tx,
    RevisionRow,
    `insert into list_revision as kept (list, revision, listed) values ($1, 1, $2)
     on conflict (list) do update set revision = kept.revision + 1, listed = kept.listed + excluded.listed returning revision`,
    [list.key, appeared],
  );
  return rows[0]?.revision ?? 0;
}

/** Corrects the number of listed rows. Call with the revision raised, so that no other writer of the list counts meanwhile. */
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
