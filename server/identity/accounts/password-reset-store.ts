/** Stores links to reset forgotten passwords, each usable once. */
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

export interface ResetLink {
  readonly idHash: string;
  readonly userId: number;
  readonly createdTime: number;
  readonly expiresTime: number;
}

/** Requires a transaction that has locked the user. The user's earlier links become invalid. */
export async function addResetLink(tx: Queryable, link: ResetLink): Promise<void> {
  const { idHash, userId, createdTime, expiresTime } = link;
  await query.run(
    tx,
  )`delete from password_reset where user_id = ${userId} or expires_time <= ${createdTime}`;
  await query.run(tx)`
    insert into password_reset ${sql.values({ idHash, userId, createdTime, expiresTime })}`;
}

/** A link created in the future is invalid: the clock was set back since. */
const isValid = (idHash: string, now: number) =>
  sql`id_hash = ${idHash} and expires_time > ${now} and created_time <= ${now + maxClockSkewMs}`;

/** Returns the link's user; null when the link does not exist or has become invalid. */
export const findResetLinkUser = (database: Queryable, idHash: string, now: number) =>
  query.value(database, z.number())`
    select user_id from password_reset where ${isValid(idHash, now)}`;

/** Returns false if the link was used in the meantime. */
export const useResetLink = (tx: Queryable, idHash: string, now: number) =>
  query.runOne(tx)`delete from password_reset where ${isValid(idHash, now)}`;

/** Invalidates all links of the user, also those already in a mailbox. */
export const removeResetLinks = (tx: Queryable, userId: number) =>
  query.run(tx)`delete from password_reset where user_id = ${userId}`;

/** Returns when the user's newest link was created; null without one. */
export const readLastResetLinkTime = (database: Queryable, userId: number) =>
  query.value(database, z.number())`
    select created_time from password_reset where user_id = ${userId} order by created_time desc limit 1`;
