/** Stores links to reset forgotten passwords, each usable once. */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

/**
 * Issues a link and returns its id, of which only the hash is stored. Requires a transaction that has locked the user. The user's
 * earlier links become invalid.
 */
export async function issueResetLink(
  tx: Queryable,
  userId: number,
  now: number,
  ttlMs: number,
): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const row = { idHash: sha256Hex(id), userId, createdTime: now, expiresTime: now + ttlMs };
  await query.run(
    tx,
  )`delete from password_reset where user_id = ${userId} or expires_time <= ${now}`;
  await query.run(tx)`insert into password_reset ${sql.values(row)}`;
  return id;
}

/** A link created in the future is invalid: the clock was set back since. */
const isValid = (id: string, now: number) =>
  sql`id_hash = ${sha256Hex(id)} and expires_time > ${now} and created_time <= ${now + maxClockSkewMs}`;

/** Returns the link's user; null when the link does not exist or has become invalid. */
export const findResetLinkUser = (database: Queryable, id: string, now: number) =>
  query.value(database, z.number())`
    select user_id from password_reset where ${isValid(id, now)}`;

/** Returns false if the link was used in the meantime. */
export const useResetLink = (tx: Queryable, id: string, now: number) =>
  query.runOne(tx)`delete from password_reset where ${isValid(id, now)}`;

/** Invalidates all links of the user, also those already in a mailbox. */
export const removeResetLinks = (tx: Queryable, userId: number) =>
  query.run(tx)`delete from password_reset where user_id = ${userId}`;

/** Returns when the user's newest link was created; null without one. */
export const readLastResetLinkTime = (database: Queryable, userId: number) =>
  query.value(database, z.number())`
    select created_time from password_reset where user_id = ${userId} order by created_time desc limit 1`;
