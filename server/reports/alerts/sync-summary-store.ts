/** Stores who receives the daily sync summary and when it was sent, and reads the results of a day's runs. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { Run, RunState } from '@patch/contract/sources/sync-endpoints.ts';
import { z } from 'zod';
import { parseRunMessage } from '../../ingest/runs/stored-run-message.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { updateKeySql } from '../../platform/database/rows/update-key.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

export const SummarySubscription = z.object({
  hour: z.number(),
  timeZone: z.string(),
});
export type SummarySubscription = z.infer<typeof SummarySubscription>;

export const SummarySubscriber = SummarySubscription.extend({
  userId: z.number(),
  email: z.string(),
  ownZone: z.string().nullable(),
  sentTime: z.number(),
});
export type SummarySubscriber = z.infer<typeof SummarySubscriber>;

export const readSummarySubscription = (database: Queryable, userId: number) =>
  query.row(database, SummarySubscription)`
    select hour, time_zone as "timeZone" from sync_summary where user_id = ${userId}`;

/** The first summary is sent at the next such hour. */
export const subscribeToSummary = (
  database: Queryable,
  userId: number,
  { hour, timeZone }: SummarySubscription,
  now: number,
) => query.run(database)`
  insert into sync_summary (user_id, hour, time_zone, sent_time) values (${userId}, ${hour}, ${timeZone}, ${now})
  on conflict (user_id) do update set hour = excluded.hour, time_zone = excluded.time_zone, sent_time = excluded.sent_time`;

export const unsubscribeFromSummary = (database: Queryable, userId: number) =>
  query.run(database)`delete from sync_summary where user_id = ${userId}`;

/** Returns the subscribers who are administrators with an address. */
export const readSummarySubscribers = (database: Queryable) =>
  query.rows(database, SummarySubscriber)`
    select user_id as "userId", hour, time_zone as "timeZone", sent_time as "sentTime", email, timezone as "ownZone"
    from sync_summary join users on users.id = user_id where user_type = 'Admin' and email <> '' order by user_id`;

/** Returns false if another process has sent it, or its time was changed. */
export const recordSummary = (
  tx: Queryable,
  { userId, sentTime }: SummarySubscriber,
  now: number,
) => query.runOne(tx)`
  update sync_summary set sent_time = ${now} where user_id = ${userId} and sent_time = ${sentTime}`;

export const ChangeCounts = Run.pick({ added: true, changed: true, withdrawn: true });
export type ChangeCounts = z.infer<typeof ChangeCounts>;

export interface SourceDay {
  readonly source: SourceKey;
  readonly runs: number;
  /** Numbers of records changed by the runs. */
  readonly records: ChangeCounts;
  /**
   * Numbers of updates that these records describe. Each update counts once per kind, however many records and runs changed it.
   */
  readonly updates: ChangeCounts;
}

const DayRow = ChangeCounts.extend({ source: openWord<SourceKey>(), runs: z.number() });

/** Returns the sources with a run that runs now or ended after `since`. */
export async function readDaysBySource(
  database: Queryable,
  since: number,
): Promise<ReadonlyMap<string, SourceDay>> {
  const rows = await query.rows(database, DayRow)`
    select source, count(*) as runs, sum(added) as added, sum(changed) as changed, sum(withdrawn) as withdrawn
    from sync_run where ${isWithinDay(since)} group by source`;
  const days = new Map<string, SourceDay>();
  for (const { source, runs, ...records } of rows) {
    days.set(source, {
      source,
      runs,
      records,
      updates: (await countChangedUpdates(database, source, since)) ?? records,
    });
  }
  return days;
}

const isWithinDay = (since: number) =>
  sql`started_time is not null and (ended_time is null or ended_time > ${since})`;

const UpdateCountRow = z.object({ what: openWord<keyof ChangeCounts>(), updates: z.number() });

/** Returns null when each record is an update of its own. */
async function countChangedUpdates(
  database: Queryable,
  source: SourceKey,
  since: number,
): Promise<ChangeCounts | null> {
  const lists = catalogueLists.filter((list) => list.source === source);
  if (lists.every(({ countedBy }) => countedBy === undefined)) return null;
  // A returned record counts as added, as in its run.
  const keys = lists.map(
    (list) => sql`
      select case kind when 'returned' then 'added' else kind end as what, update_key
      from sync_change join (select id as row_id, ${sql.raw(updateKeySql(list))} as update_key from ${sql.raw(list.key)}) as record using (row_id)
      where list = ${list.key} and run_id in (select id from sync_run where source = ${source} and ${isWithinDay(since)})`,
  );
  const rows = await query.rows(database, UpdateCountRow)`
    select what, count(*) as updates from (${sql.join(keys, ' union ')}) as each_once group by what`;
  const count = (what: keyof ChangeCounts) => rows.find((row) => row.what === what)?.updates ?? 0;
  return { added: count('added'), changed: count('changed'), withdrawn: count('withdrawn') };
}

const FailedRunRow = z.object({
  source: openWord<SourceKey>(),
  state: RunState,
  message: z.unknown(),
  endedAt: z.number(),
});

export interface FailedRun extends Omit<z.infer<typeof FailedRunRow>, 'message'> {
  readonly message: RunMessage | null;
}

export async function readFailuresSince(
  database: Queryable,
  since: number,
): Promise<readonly FailedRun[]> {
  const rows = await query.rows(database, FailedRunRow)`
    select source, state, message_data as message, ended_time as "endedAt" from sync_run
    where state in ('failed', 'interrupted') and ended_time > ${since} order by ended_time desc, id desc`;
  return rows.map(({ message, ...run }) => ({
    ...run,
    message: message === null ? null : parseRunMessage(message),
  }));
}
