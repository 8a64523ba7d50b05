/** Stores when each person visited the dashboard, which defines what is new to them. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** A first visit shows what is new within this time. */
const firstVisitMs = 7 * 86_400_000;

/** A visit ends after this time without opening the dashboard: reloads, tabs and other devices until then belong to it. */
const visitGapMs = 30 * 60_000;

export interface Since {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The end of the previous visit, or a fixed time before the first one. */
  readonly reason: 'last_visit' | 'first_visit';
}

/** `last` is the latest opening, `before` the last one of the previous visit. */
const VisitRow = z.object({ last: z.number(), before: z.number().nullable() });

/** Returns the end of the visit before the one that goes on, or begins, at this time. */
export async function readNewSince(
  database: Queryable,
  userId: number,
  now: number,
): Promise<Since> {
  const [visit] = await queryRows(
    database,
    VisitRow,
    'select last_time as last, before_time as before from dashboard_visit where user_id = $1',
    [userId],
  );
  const time = visit === undefined ? null : isOver(visit.last, now) ? visit.last : visit.before;
  // After the clock was set back, a visit may lie ahead.
  return time === null || time > now
    ? { time: now - firstVisitMs, reason: 'first_visit' }
    : { time, reason: 'last_visit' };
}

const isOver = (last: number, now: number) => now - last >= visitGapMs;

/** Records that the dashboard was opened, which continues the visit or begins one. */
export async function recordVisit(database: Queryable, userId: number, now: number): Promise<void> {
  await database.query(
    `insert into dashboard_visit (user_id, last_time) values ($1, $2)
     on conflict (user_id) do update set last_time = excluded.last_time,
       before_time = case when $2 - dashboard_visit.last_time >= $3 then dashboard_visit.last_time else dashboard_visit.before_time end`,
    [userId, now, visitGapMs],
  );
}

const FirstRow = z.object({ first: z.number() });

/** Returns when the first record was read here, epoch milliseconds; null in an empty catalogue. */
export async function readFirstRecord(database: Queryable): Promise<number | null> {
  const [row] = await queryRows(
    database,
    FirstRow,
    'select created_time as first from record order by id limit 1',
  );
  return row?.first ?? null;
}
