/** Stores when each person visited the dashboard, which defines what is new to them. */

import type { When } from '@patch/contract/dates/relative-date.ts';
import { dayAt, startOfDay } from '@patch/contract/dates/zoned-day.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** A first visit shows what is new within this time. */
const firstVisitMs = 7 * 86_400_000;

export interface Since {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The last visit on an earlier day, or a fixed time before the first visit. */
  readonly reason: 'last_visit' | 'first_visit';
}

const VisitRow = z.object({ last: z.number(), before: z.number().nullable() });

/** Returns the last visit on an earlier day of the person's calendar, so that a second visit on one day shows the same news. */
export async function readNewSince(
  database: Queryable,
  userId: number,
  when: When,
): Promise<Since> {
  const [visit] = await queryRows(
    database,
    VisitRow,
    'select last_time as last, before_time as before from dashboard_visit where user_id = $1',
    [userId],
  );
  const time =
    visit === undefined ? null : visit.last < startOfToday(when) ? visit.last : visit.before;
  return time === null
    ? { time: when.now - firstVisitMs, reason: 'first_visit' }
    : { time, reason: 'last_visit' };
}

/** Records a visit. It affects `readNewSince` from the next day on. */
export async function recordVisit(database: Queryable, userId: number, when: When): Promise<void> {
  await database.query(
    `insert into dashboard_visit (user_id, last_time) values ($1, $2)
     on conflict (user_id) do update set last_time = excluded.last_time,
       before_time = case when dashboard_visit.last_time < $3 then dashboard_visit.last_time else dashboard_visit.before_time end`,
    [userId, when.now, startOfToday(when)],
  );
}

const startOfToday = ({ now, timeZone }: When) => startOfDay(dayAt(now, timeZone), timeZone);
