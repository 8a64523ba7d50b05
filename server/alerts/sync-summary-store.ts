/** Who wants the daily summary of syncs and when it was sent; and what the runs of a day did. */
import type { SourceKey } from '@patch/catalogue/definition/sources.ts';
import type { RunState } from '@patch/contract/sync-calls.ts';
import type { Queryable } from '../database/database.ts';

export interface SummaryWish {
  readonly hour: number;
  readonly timeZone: string;
}

export interface SummaryReader extends SummaryWish {
  readonly userId: number;
  readonly email: string;
  readonly ownZone: string | null;
  readonly sentTime: number;
}

export async function summaryWish(database: Queryable, userId: number): Promise<SummaryWish | null> {
  const { rows } = await database.query<SummaryWish>('select hour, time_zone as "timeZone" from sync_summary where user_id = $1', [userId]);
  return rows[0] ?? null;
}

/** The first comes at the next such hour. */
export async function wantSummary(database: Queryable, userId: number, { hour, timeZone }: SummaryWish, now: number): Promise<void> {
  await database.query(
    `insert into sync_summary (user_id, hour, time_zone, sent_time) values ($1, $2, $3, $4)
     on conflict (user_id) do update set hour = excluded.hour, time_zone = excluded.time_zone, sent_time = excluded.sent_time`,
    [userId, hour, timeZone, now],
  );
}

export async function endSummary(database: Queryable, userId: number): Promise<void> {
  await database.query('delete from sync_summary where user_id = $1', [userId]);
}

/** Administrators with an address. */
export async function summaryReaders(database: Queryable): Promise<readonly SummaryReader[]> {
  const { rows } = await database.query<SummaryReader>(
    `select user_id as "userId", hour, time_zone as "timeZone", sent_time as "sentTime", email, timezone as "ownZone"
     from sync_summary join users on users.id = user_id where user_type = 'Admin' and email <> '' order by user_id`,
  );
  return rows;
}

/** False when another process has sent it, or somebody has changed when it comes. */
export async function noteSummary(session: Queryable, { userId, sentTime }: SummaryReader, now: number): Promise<boolean> {
  const { count } = await session.query('update sync_summary set sent_time = $3 where user_id = $1 and sent_time = $2', [
    userId,
    sentTime,
    now,
  ]);
  return count === 1;
}

export interface DayOfSource {
  readonly source: SourceKey;
  readonly runs: number;
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
}

/** Of the sources that have ended a run since, or run now. */
export async function daysOfSources(database: Queryable, since: number): Promise<ReadonlyMap<string, DayOfSource>> {
  const { rows } = await database.query<DayOfSource>(
    `select source, count(*) as runs, sum(added) as added, sum(changed) as changed, sum(withdrawn) as withdrawn
     from sync_run where started_time is not null and (ended_time is null or ended_time > $1) group by source`,
    [since],
  );
  return new Map(rows.map((day) => [day.source, day]));
}

export interface FailedRun {
  readonly source: SourceKey;
  readonly state: RunState;
  readonly message: string;
  readonly endedAt: number;
}

/** Newest first. */
export async function failuresSince(database: Queryable, since: number): Promise<readonly FailedRun[]> {
  const { rows } = await database.query<FailedRun>(
    `select source, state, message, ended_time as "endedAt" from sync_run
     where state in ('failed', 'interrupted') and ended_time > $1 order by ended_time desc, id desc`,
    [since],
  );
  return rows;
}
