/** Stores sessions by the hash of their token. */
import { OpenSession } from '@patch/contract/accounts/session-endpoints.ts';
import { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';
import { hasSecondFactorSql, userJson } from '../accounts/user-store.ts';

const StoredSession = z.object({
  user: SignedInUser,
  lastUsedTime: z.number(),
  expiresTime: z.number(),
  endsTime: z.number(),
  /** The sign-in was by an identity provider. */
  byProvider: z.boolean(),
  /** When the person last proved their identity; null: unknown. */
  provenTime: z.number().nullable(),
  hasSecondFactor: z.boolean(),
});
export type StoredSession = Readonly<z.infer<typeof StoredSession>>;

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
export const insertSession = (
  database: Queryable,
  { now, ...session }: NewSession,
  passwordHash: string,
) => query.runOne(database)`
  with person as (
    update users set last_sign_in_time = ${now}::bigint
    where id = ${session.userId}::bigint and password_hash = ${passwordHash}::text returning id
  )
  insert into sessions (token_hash, user_id, address, user_agent, created_time, last_used_time, expires_time, ends_time,
    by_provider, proven_time)
  select ${session.tokenHash}::text, id, ${session.address}::text, ${session.userAgent}::text, ${now}::bigint, ${now}::bigint,
    ${session.expiresTime}::bigint, ${session.endsTime}::bigint, ${session.byProvider}::boolean, ${session.provenTime}::bigint
  from person`;

/**
 * Returns null also for a session that began in the future: the clock was set back since, and it would end that much too late.
 */
export const findStoredSession = (database: Queryable, tokenHash: string, now: number) =>
  query.row(database, StoredSession)`
    select ${userJson} as user, last_used_time as "lastUsedTime", expires_time as "expiresTime", ends_time as "endsTime",
      by_provider as "byProvider", proven_time as "provenTime", ${hasSecondFactorSql} as "hasSecondFactor"
    from sessions join users on users.id = sessions.user_id
    where token_hash = ${tokenHash} and expires_time > ${now} and sessions.created_time <= ${now + maxClockSkewMs}`;

export const extendSession = (
  database: Queryable,
  tokenHash: string,
  now: number,
  expiresTime: number,
) => query.run(database)`
  update sessions set last_used_time = ${now}, expires_time = ${expiresTime} where token_hash = ${tokenHash}`;

export const deleteSession = (database: Queryable, tokenHash: string) =>
  query.run(database)`delete from sessions where token_hash = ${tokenHash}`;

export const deleteUserSessions = (database: Queryable, userId: number) =>
  query.run(database)`delete from sessions where user_id = ${userId}`;

/**
 * Returns the current session first, then the last used.
 * @param current Hash of the caller's token.
 */
export const readOpenSessions = (
  database: Queryable,
  userId: number,
  current: string | null,
  now: number,
) => query.rows(database, OpenSession)`
  select id, address, user_agent as "userAgent", created_time as "startedAt", last_used_time as "lastUsedAt",
    expires_time as "expiresAt", (token_hash = coalesce(${current}::text, '')) as "current"
  from sessions where user_id = ${userId} and expires_time > ${now} order by "current" desc, last_used_time desc, id desc`;

/** Returns false when that user has no such session. */
export const deleteUserSession = (database: Queryable, userId: number, id: number) =>
  query.runOne(database)`delete from sessions where user_id = ${userId} and id = ${id}`;

/** Deletes all sessions of the user except `current`, and returns their number. */
export const deleteOtherSessions = (database: Queryable, userId: number, current: string | null) =>
  query.run(database)`
    delete from sessions where user_id = ${userId} and token_hash <> coalesce(${current}::text, '')`;

export const deleteExpiredSessions = (database: Queryable, now: number) =>
  query.run(database)`delete from sessions where expires_time <= ${now}`;

/** Records a proof of identity. Returns false when the session has ended. */
export const noteProof = (database: Queryable, tokenHash: string, now: number) =>
  query.runOne(database)`update sessions set proven_time = ${now} where token_hash = ${tokenHash}`;
