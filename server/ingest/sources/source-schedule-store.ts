/** Stores schedules, queues the runs of sources that are due, and checks whether the sync thread has work. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { listsBeingIndexed } from '../../platform/database/records/build-record-index.ts';
import { addRun, isSuccess } from '../runs/run-store.ts';
import { getNextTimes } from './cron-schedule.ts';

const ScheduleRow = z.object({
  source: openWord<SourceKey>(),
  cron: z.string(),
  dueAt: z.number(),
});

/**
 * Applies the current schedules, and queues each source that is due. Queues it once, even if it was due several times or several
 * processes call this function. Does not queue a source with an active run.
 *
 * @param schedules five-field cron in UTC of each source that is synced automatically
 * @returns the time at which the next source is due; null without schedules
 */
export async function followSchedules(
  database: Database,
  schedules: ReadonlyMap<SourceKey, string>,
  now: number,
): Promise<number | null> {
  const known = await queryRows(
    database,
    ScheduleRow,
    'select source, cron, due_time as "dueAt" from source_schedule',
  );
  const due = new Map<SourceKey, number>();
  for (const [source, cron] of schedules) {
    const row = known.find((each) => each.source === source);
    const next = getNextTimes(cron, now, 1)[0];
    if (next === undefined) continue;
    // A stored time after the next one was set before the clock was set back.
    if (row?.cron === cron && row.dueAt <= next)
      due.set(source, row.dueAt <= now ? await queueDue(database, row, next) : row.dueAt);
    else {
      await saveSchedule(database, { source, cron, dueAt: next });
      due.set(source, next);
    }
  }
  if (known.some(({ source }) => !due.has(source)))
    await database.query('delete from source_schedule where source <> all($1::text[])', [
      arrayText([...due.keys()]),
    ]);
  return due.size === 0 ? null : Math.min(...due.values());
}

/** Returns true once somebody has started a sync, or a sync has succeeded. */
export const hasSyncBegun = (database: Queryable): Promise<boolean> =>
  isAny(database, `sync_run where started_by <> 'schedule' or ${isSuccess}`);

export const isAnyQueued = (database: Queryable): Promise<boolean> =>
  isAny(database, `sync_run where state = 'queued'`);

/** Returns true when an earlier version or a dead process has left stale CVEs or records to index. */
export const isIndexingDue = async (database: Queryable): Promise<boolean> =>
  (await isAny(database, 'stale_cve')) || (await listsBeingIndexed(database)).length > 0;

const FoundRow = z.object({ found: z.boolean() });

async function isAny(database: Queryable, from: string): Promise<boolean> {
  const [row] = await queryRows(database, FoundRow, `select exists (select from ${from}) as found`);
  return row?.found ?? false;
}

/** Queues a due source, unless another process has done so. */
async function queueDue(
  database: Database,
  { source, dueAt }: z.infer<typeof ScheduleRow>,
  next: number,
): Promise<number> {
  await database.transaction(async (tx) => {
    const { count } = await tx.query(
      'update source_schedule set due_time = $3 where source = $1 and due_time = $2',
      [source, dueAt, next],
    );
    if (count > 0) await addRun(tx, source, 'schedule', Date.now());
  });
  return next;
}

async function saveSchedule(
  database: Queryable,
  { source, cron, dueAt }: z.infer<typeof ScheduleRow>,
): Promise<void> {
  await database.query(
    `insert into source_schedule (source, cron, due_time) values ($1, $2, $3)
     on conflict (source) do update set cron = excluded.cron, due_time = excluded.due_time`,
    [source, cron, dueAt],
  );
}
