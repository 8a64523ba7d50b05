/** Stores sign-in attempts, the times of the last minutes for each account and address, and the networks of people who signed in. */
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';

export interface AttemptLimits {
  readonly maxAttempts: number;
  readonly withinMs: number;
}

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
  const expiresTime = await query.value(database, z.number())`
    select expires_time from sign_in_attempts where account = ${account} and address = ${address}`;
  return expiresTime ?? now;
}

/** Removes the attempt from the count. */
export const undoAttempt = (database: Queryable, account: string, address: string, time: number) =>
  query.run(database)`
    update sign_in_attempts set tried_times =
      tried_times[:array_position(tried_times, ${time}::bigint) - 1] || tried_times[array_position(tried_times, ${time}::bigint) + 1:]
    where account = ${account} and address = ${address} and ${time}::bigint = any (tried_times)`;

/** Clears the attempts from all addresses. */
export const clearAllAttempts = (database: Queryable, account: string) =>
  query.run(database)`delete from sign_in_attempts where account = ${account}`;

export const clearAttempts = (database: Queryable, account: string, address: string) =>
  query.run(
    database,
  )`delete from sign_in_attempts where account = ${account} and address = ${address}`;

export const deleteExpiredAttempts = (database: Queryable, now: number) =>
  query.run(database)`delete from sign_in_attempts where expires_time <= ${now}`;

/** A person's older networks are deleted, so that a person with many addresses cannot make all of them known. */
const maxNetworksOfAPerson = 10;
const knownForMs = 90 * 24 * 3_600_000;

/**
 * Returns whether any person signed in from the network lately. The answer must not depend on the person, since it would reveal
 * whether an account exists and where its owner works.
 */
export const isKnownNetwork = (database: Queryable, network: string, now: number) =>
  query.runOne(database)`
    select 1 from known_network where network = ${network} and last_time > ${now - knownForMs} limit 1`;

export async function noteNetwork(
  database: Queryable,
  userId: number,
  network: string,
  now: number,
): Promise<void> {
  await query.run(database)`
    insert into known_network (user_id, network, last_time) select id, ${network}, ${now} from users where id = ${userId}
    on conflict (user_id, network) do update set last_time = excluded.last_time`;
  await query.run(database)`
    delete from known_network where user_id = ${userId} and (last_time <= ${now - knownForMs} or network not in (
      select network from known_network where user_id = ${userId} order by last_time desc, network limit ${maxNetworksOfAPerson}))`;
}
