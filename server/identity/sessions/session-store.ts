/** Stores sessions by the hash of their token. */
import { OpenSession } from '@patch/contract/session-endpoints.ts';
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { hasSecondFactorSql } from '../accounts/second-factor-sql.ts';
import { toSignedInUser, UserRow, userColumns } from '../accounts/user-store.ts';

const SessionRow = UserRow.extend({
  lastUsedTime: z.number(),
  expiresTime: z.number(),
  endsTime: z.number(),
  /** The sign-in was by an identity provider. */
  byProvider: z.boolean(),
  /** When the person last proved their identity; null: unknown. */
  provenTime: z.number().nullable(),
  hasSecondFactor: z.boolean(),
});

export interface StoredSession extends Omit<z.infer<typeof SessionRow>, keyof UserRow> {
  readonly user: SignedInUser;
}

export interface NewSession {
  readonly tokenHash: string;
  readonly userId: number;
  readonly address: string;
  readonly userAgent: string;
  readonly now: number;
  readonly expiresTime: number;
  readonly endsTime: number;
  readonly byProvider: boolean;
  readonly provenTime: number | null;
}

/**
 * Returns false when the user's password hash differs from `passwordHash`. The statement locks the row, so that a password change,
 * which ends all sessions, cannot miss this one.
 */
export async function insertSession(
  database: Queryable,
  session: NewSession,
  passwordHash: string,
): Promise<boolean> {
  const { count } = await database.query(
    `with person as (
       update users set last_sign_in_time = $4::bigint where id = $2::bigint and password_hash = $7::text returning id
     )
     insert into sessions (token_hash, user_id, address, user_agent, created_time, last_used_time, expires_time, ends_time,
       by_provider, proven_time)
     select $1::text, id, $3::text, $8::text, $4::bigint, $4::bigint, $5::bigint, $6::bigint, $9::boolean, $10::bigint from person`,
    [
      session.tokenHash,
      session.userId,
      session.address,
      session.now,
      session.expiresTime,
      session.endsTime,
      passwordHash,
      session.userAgent,
      session.byProvider,
      session.provenTime,
    ],
  );
  return count === 1;
}

/**
 * Returns null also for a session that began in the future: the clock was set back since, and it would end that much too late.
 */
export async function findStoredSession(
  database: Queryable,
  tokenHash: string,
  now: number,
): Promise<StoredSession | null> {
  const rows = await queryRows(
    database,
    SessionRow,
    `select ${userColumns}, last_used_time as "lastUsedTime", expires_time as "expiresTime", ends_time as "endsTime",
       by_provider as "byProvider", proven_time as "provenTime",
       ${hasSecondFactorSql} as "hasSecondFactor"
     from sessions join users on users.id = sessions.user_id where token_hash = $1 and expires_time > $2 and sessions.created_time <= $3`,
    [tokenHash, now, now + maxClockSkewMs],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { lastUsedTime, expiresTime, endsTime, byProvider, provenTime, hasSecondFactor } = row;
  return {
    user: toSignedInUser(row),
    lastUsedTime,
    expiresTime,
    endsTime,
    byProvider,
    provenTime,
    hasSecondFactor,
  };
}

export async function extendSession(
  database: Queryable,
  tokenHash: string,
  now: number,
  expiresTime: number,
): Promise<void> {
  await database.query(
    'update sessions set last_used_time = $2, expires_time = $3 where token_hash = $1',
    [tokenHash, now, expiresTime],
  );
}

export async function deleteSession(database: Queryable, tokenHash: string): Promise<void> {
  await database.query('delete from sessions where token_hash = $1', [tokenHash]);
}

export async function deleteUserSessions(database: Queryable, userId: number): Promise<void> {
  await database.query('delete from sessions where user_id = $1', [userId]);
}

/**
 * Returns the current session first, then the last used.
 * @param current Hash of the caller's token.
 */
export async function readOpenSessions(
  database: Queryable,
  userId: number,
  current: string | null,
  now: number,
): Promise<readonly OpenSession[]> {
  const rows = await queryRows(
    database,
    OpenSession,
    `select id, address, user_agent as "userAgent", created_time as "startedAt", last_used_time as "lastUsedAt",
       expires_time as "expiresAt", (token_hash = coalesce($2::text, '')) as "current"
     from sessions where user_id = $1 and expires_time > $3 order by "current" desc, last_used_time desc, id desc`,
    [userId, current, now],
  );
  return rows;
}

/** Returns false when that user has no such session. */
export async function deleteUserSession(
  database: Queryable,
  userId: number,
  id: number,
): Promise<boolean> {
  return (
    (await database.query('delete from sessions where user_id = $1 and id = $2', [userId, id]))
      .count === 1
  );
}

/** Deletes all sessions of the user except `current`, and returns their number. */
export async function deleteOtherSessions(
  database: Queryable,
  userId: number,
  current: string | null,
): Promise<number> {
  return (
    await database.query(
      `delete from sessions where user_id = $1 and token_hash <> coalesce($2::text, '')`,
      [userId, current],
    )
  ).count;
}

export async function deleteExpiredSessions(database: Queryable, now: number): Promise<void> {
  await database.query('delete from sessions where expires_time <= $1', [now]);
}

/** Records a proof of identity. Returns false when the session has ended. */
export async function noteProof(
  database: Queryable,
  tokenHash: string,
  now: number,
): Promise<boolean> {
  return (
    (
      await database.query('update sessions set proven_time = $2 where token_hash = $1', [
        tokenHash,
        now,
      ])
    ).count === 1
  );
}
