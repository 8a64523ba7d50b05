/** Stores sign-in attempts: the times of the last minutes for each account and address. */
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export interface AttemptLimits {
  readonly maxAttempts: number;
  readonly withinMs: number;
}

const ExpiresTimeRow = z.object({ expires_time: z.number() });

/**
 * Counts an attempt before its outcome is known, so that concurrent attempts are limited too. Returns null when it is allowed,
 * else the time of the next allowed attempt. A row with `maxAttempts` times stays unchanged until it expires. Times in the
 * future, stored before the clock was set back, do not count.
 */
export async function countAttempt(
  database: Queryable,
  account: string,
  address: string,
  now: number,
  limits: AttemptLimits,
): Promise<number | null> {
  const { count } = await database.query(
    `insert into sign_in_attempts as known (account, address, tried_times, expires_time)
     values ($1, $2, array[$3::bigint], $3::bigint + $4::bigint)
     on conflict (account, address) do update set
       tried_times = array(select time from unnest(known.tried_times) as time where time between $3::bigint - $4::bigint + 1 and $6::bigint) || $3::bigint,
       expires_time = $3::bigint + $4::bigint
     where cardinality(known.tried_times) < $5::int or known.expires_time not between $3::bigint + 1 and $6::bigint + $4::bigint`,
    [account, address, now, limits.withinMs, limits.maxAttempts, now + maxClockSkewMs],
  );
  if (count === 1) return null;
  const rows = await queryRows(
    database,
    ExpiresTimeRow,
    'select expires_time from sign_in_attempts where account = $1 and address = $2',
    [account, address],
  );
  return rows[0]?.expires_time ?? now;
}

/** Removes the attempt from the count. */
export async function undoAttempt(
  database: Queryable,
  account: string,
  address: string,
  time: number,
): Promise<void> {
  await database.query(
    `update sign_in_attempts set tried_times =
       tried_times[:array_position(tried_times, $3::bigint) - 1] || tried_times[array_position(tried_times, $3::bigint) + 1:]
     where account = $1 and address = $2 and $3::bigint = any (tried_times)`,
    [account, address, time],
  );
}

/** Clears the attempts from all addresses. */
export async function clearAllAttempts(database: Queryable, account: string): Promise<void> {
  await database.query('delete from sign_in_attempts where account = $1', [account]);
}

export async function clearAttempts(
  database: Queryable,
  account: string,
  address: string,
): Promise<void> {
  await database.query('delete from sign_in_attempts where account = $1 and address = $2', [
    account,
    address,
  ]);
}

export async function deleteExpiredAttempts(database: Queryable, now: number): Promise<void> {
  await database.query('delete from sign_in_attempts where expires_time <= $1', [now]);
}
