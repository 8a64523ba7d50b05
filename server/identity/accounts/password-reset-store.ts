/** Stores links to reset forgotten passwords, each usable once. */
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export interface ResetLink {
  readonly idHash: string;
  readonly userId: number;
  readonly createdTime: number;
  readonly expiresTime: number;
}

/** Requires a transaction that has locked the user. The user's earlier links become invalid. */
export async function addResetLink(
  tx: Queryable,
  { idHash, userId, createdTime, expiresTime }: ResetLink,
): Promise<void> {
  await tx.query('delete from password_reset where user_id = $1 or expires_time <= $2', [
    userId,
    createdTime,
  ]);
  await tx.query(
    'insert into password_reset (id_hash, user_id, created_time, expires_time) values ($1, $2, $3, $4)',
    [idHash, userId, createdTime, expiresTime],
  );
}

/** A link created in the future is invalid: the clock was set back since. */
const isValid = 'id_hash = $1 and expires_time > $2 and created_time <= $3';

const UserIdRow = z.object({ userId: z.number() });

/** Returns the link's user; null when the link does not exist or has become invalid. */
export async function findResetLinkUser(
  database: Queryable,
  idHash: string,
  now: number,
): Promise<number | null> {
  const rows = await queryRows(
    database,
    UserIdRow,
    `select user_id as "userId" from password_reset where ${isValid}`,
    [idHash, now, now + maxClockSkewMs],
  );
  return rows[0]?.userId ?? null;
}

/** Returns false if the link was used in the meantime. */
export async function useResetLink(tx: Queryable, idHash: string, now: number): Promise<boolean> {
  const { count } = await tx.query(`delete from password_reset where ${isValid}`, [
    idHash,
    now,
    now + maxClockSkewMs,
  ]);
  return count === 1;
}

/** Invalidates all links of the user, also those already in a mailbox. */
export async function removeResetLinks(tx: Queryable, userId: number): Promise<void> {
  await tx.query('delete from password_reset where user_id = $1', [userId]);
}

const CreatedTimeRow = z.object({ createdTime: z.number() });

/** Returns when the user's newest link was created; null without one. */
export async function readLastResetLinkTime(
  database: Queryable,
  userId: number,
): Promise<number | null> {
  const rows = await queryRows(
    database,
    CreatedTimeRow,
    'select created_time as "createdTime" from password_reset where user_id = $1 order by created_time desc limit 1',
    [userId],
  );
  return rows[0]?.createdTime ?? null;
}
