/**
 * An import is a run of each of its sources: no sync of the source runs meanwhile, and its changes are recorded like any other's.
 */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import { readRun } from '../../ingest/sync/run-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/**
 * Begins a run immediately, so that no worker takes it for a queued sync. Returns null while another run of the source is queued
 * or running.
 */
export async function beginImportRun(
  database: Queryable,
  source: SourceKey,
  startedBy: string,
  now: number,
): Promise<Run | null> {
  const rows = await queryRows(
    database,
    IdRow,
    `insert into sync_run (source, state, started_by, queued_time, started_time, heartbeat_time) values ($1, 'running', $2, $3, $3, $3)
     on conflict (source) where state in ('queued', 'running') do nothing returning id`,
    [source, startedBy, now],
  );
  return rows[0] === undefined ? null : readRun(database, rows[0].id);
}
