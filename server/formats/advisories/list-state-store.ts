/** Reads the state of a list, by which files made of it are known to be current. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const StateRow = z.object({ state: z.string() });

/** Identifies the content of a list: it differs after every change of a record, and after a restore. */
export async function listState(database: Queryable, list: ListDefinition): Promise<string> {
  const rows = await queryRows(
    database,
    StateRow,
    `select concat_ws('.', (select epoch from change_epoch), revision, listed) as state from list_revision where list = $1`,
    [list.key],
  );
  return rows[0]?.state ?? '0';
}
