/** Checks whether the sync thread has work, before it is started. */
import { z } from 'zod';
import { listsBeingIndexed } from '../../platform/database/build-record-index.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const DueRow = z.object({ due: z.boolean() });

export const isAnyQueued = (database: Queryable): Promise<boolean> =>
  isDue(database, "exists (select from sync_run where state = 'queued')");

/** Returns true when an earlier version or a dead process has left stale CVEs or records to index. */
export const isIndexingDue = async (database: Queryable): Promise<boolean> =>
  (await isDue(database, 'exists (select from stale_cve)')) ||
  (await listsBeingIndexed(database)).length > 0;

async function isDue(database: Queryable, condition: string): Promise<boolean> {
  const rows = await queryRows(database, DueRow, `select ${condition} as due`);
  return rows[0]?.due ?? false;
}
