/** Reads past runs and the current versions of the lists, and prunes old runs. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { z } from 'zod';
import { readPage } from '../../platform/database/counted-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { isActive } from '../../platform/queues/leased-row-store.ts';
import { isSuccess, runColumns, StoredRun, toRun } from './run-store.ts';

/** Reads a page of runs of a source, or of all sources when it is null, newest first. */
export async function readRunsPage(
  database: Queryable,
  source: SourceKey | null,
  offset: number,
  size: number,
): Promise<{ readonly runs: readonly Run[]; readonly total: number }> {
  const from = source === null ? 'sync_run' : 'sync_run where source = $1';
  const { rows, total } = await readPage(
    database,
    StoredRun,
    { columns: runColumns, from, order: 'id desc', offset, size },
    source === null ? [] : [source],
  );
  return { runs: rows.map(toRun), total };
}

export async function readNewestRuns(database: Queryable): Promise<ReadonlyMap<string, Run>> {
  const rows = await queryRows(
    database,
    StoredRun,
    `select distinct on (source) ${runColumns} from sync_run order by source, id desc`,
  );
  return new Map(rows.map((run) => [run.source, toRun(run)]));
}

const LastSuccessRow = z.object({ source: z.string(), time: z.number() });

export async function readLastSuccesses(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await queryRows(
    database,
    LastSuccessRow,
    `select source, max(ended_time) as time from sync_run where ${isSuccess} group by source`,
  );
  return new Map(rows.map(({ source, time }) => [source, time]));
}

export const ListVersion = z.object({
  revision: z.number(),
  /** Count of records that are not withdrawn. */
  listed: z.number(),
});

export type ListVersion = z.infer<typeof ListVersion>;

const ListVersionRow = ListVersion.extend({ list: z.string() });

/** Reads the version of every list by its key. */
export async function readListVersions(
  database: Queryable,
): Promise<ReadonlyMap<string, ListVersion>> {
  const rows = await queryRows(
    database,
    ListVersionRow,
    'select list, revision, listed from list_revision',
  );
  return new Map(rows.map(({ list, revision, listed }) => [list, { revision, listed }]));
}

/** Returns the runs of a source beyond its newest `keep`, oldest first, without the last successful run. */
export async function findRunsToPrune(
  database: Queryable,
  source: SourceKey,
  keep: number,
): Promise<readonly number[]> {
  const rows = await queryRows(
    database,
    IdRow,
    `select id from sync_run where source = $1 and not (${isActive})
       and id <= (select id from sync_run where source = $1 order by id desc limit 1 offset $2)
       and id is distinct from (select id from sync_run where source = $1 and ${isSuccess} order by ended_time desc limit 1)
     order by id`,
    [source, keep],
  );
  return rows.map(({ id }) => id);
}

export async function removeRun(database: Queryable, id: number): Promise<void> {
  await database.query('delete from sync_run where id = $1', [id]);
}
