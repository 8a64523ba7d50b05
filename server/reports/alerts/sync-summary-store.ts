/** Stores who receives the daily sync summary and when it was sent, and reads the results of a day's runs. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { RunMessage } from '@patch/contract/run-message.ts';
import { Run, RunState } from '@patch/contract/sync-endpoints.ts';
import { z } from 'zod';
import { parseRunMessage } from '../../ingest/sync/stored-run-message.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { updateKeySql } from '../../platform/database/update-key.ts';

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

export async function readSummarySubscription(
  database: Queryable,
  userId: number,
): Promise<SummarySubscription | null> {
  const rows = await queryRows(
    database,
    SummarySubscription,
    'select hour, time_zone as "timeZone" from sync_summary where user_id = $1',
    [userId],
  );
  return rows[0] ?? null;
}

/** The first summary is sent at the next such hour. */
export async function subscribeToSummary(
  database: Queryable,
  userId: number,
  { hour, timeZone }: SummarySubscription,
  now: number,
): Promise<void> {
  await database.query(
    `insert into sync_summary (user_id, hour, time_zone, sent_time) values ($1, $2, $3, $4)
     on conflict (user_id) do update set hour = excluded.hour, time_zone = excluded.time_zone, sent_time = excluded.sent_time`,
    [userId, hour, timeZone, now],
  );
}

export async function unsubscribeFromSummary(database: Queryable, userId: number): Promise<void> {
  await database.query('delete from sync_summary where user_id = $1', [userId]);
}

/** Returns the subscribers who are administrators with an address. */
export async function readSummarySubscribers(
  database: Queryable,
): Promise<readonly SummarySubscriber[]> {
  const rows = await queryRows(
    database,
    SummarySubscriber,
    `select user_id as "userId", hour, time_zone as "timeZone", sent_time as "sentTime", email, timezone as "ownZone"
     from sync_summary join users on users.id = user_id where user_type = 'Admin' and email <> '' order by user_id`,
  );
  return rows;
}

/** Returns false if another process has sent it, or its time was changed. */
export async function recordSummary(
  tx: Queryable,
  { userId, sentTime }: SummarySubscriber,
  now: number,
): Promise<boolean> {
  const { count } = await tx.query(
    'update sync_summary set sent_time = $3 where user_id = $1 and sent_time = $2',
    [userId, sentTime, now],
  );
  return count === 1;
}

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
  const rows = await queryRows(
    database,
    DayRow,
    `select source, count(*) as runs, sum(added) as added, sum(changed) as changed, sum(withdrawn) as withdrawn
     from sync_run where ${withinDay} group by source`,
    [since],
  );
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

const withinDay = 'started_time is not null and (ended_time is null or ended_time > $1)';

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
    (list) =>
      `select case kind when 'returned' then 'added' else kind end as what, update_key
       from sync_change join (select id as row_id, ${updateKeySql(list)} as update_key from ${list.key}) as record using (row_id)
       where list = '${list.key}' and run_id in (select id from sync_run where source = $2 and ${withinDay})`,
  );
  const rows = await queryRows(
    database,
    UpdateCountRow,
    `select what, count(*) as updates from (${keys.join(' union ')}) as each_once group by what`,
    [since, source],
  );
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
  const rows = await queryRows(
    database,
    FailedRunRow,
    `select source, state, message_data as message, ended_time as "endedAt" from sync_run
     where state in ('failed', 'interrupted') and ended_time > $1 order by ended_time desc, id desc`,
    [since],
  );
  return rows.map(({ message, ...run }) => ({
    ...run,
    message: message === null ? null : parseRunMessage(message),
  }));
}
