/**
 * Who is signed in. A token is 256 random bits, of which only the SHA-256 is kept. A session ends when it was idle for too
 * long, and at the latest some hours after it began.
 */

import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { OpenSession } from '@patch/contract/session-endpoints.ts';
import type { GeneralSettings } from '@patch/contract/settings-endpoints.ts';
import {
  proofMinutes,
  type SignedInUser,
  type UserType,
} from '@patch/contract/sign-in-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { SessionAuthenticator } from '../../platform/http/authenticate.ts';
import { noteSignIn } from '../accounts/sign-in-limits.ts';
import { SessionCache } from './session-cache.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsBut,
  deleteSessionsOf,
  findStoredSession,
  insertSession,
  noteProof,
  openSessionsOf,
  type StoredSession,
} from './session-store.ts';

export interface SessionLimits {
  readonly idleMs: number;
  readonly maxMs: number;
  readonly secondFactorRequired: GeneralSettings['secondFactorRequired'];
}

/** How a session is begun. */
export interface SessionStart {
  readonly address: string;
  readonly userAgent: string;
  /** By an identity provider. */
  readonly byProvider?: boolean;
  /** When the person proved who they are; absent: now. Null: not in a way that is known. */
  readonly provenTime?: number | null;
}

export interface Begun {
  readonly token: string;
  readonly expiresAt: number;
  readonly user: SignedInUser;
}

export interface Sessions {
  readonly find: SessionAuthenticator;
  /** Null when the user's password is not `passwordHash` any more. */
  begin(user: SignedInUser, passwordHash: string, beginning: SessionStart): Promise<Begun | null>;
  /** The person has proved who they are. Until when that is good; null when the session has ended. */
  prove(session: string): Promise<number | null>;
  /** Whether the session still holds, without counting as its use. */
  readonly holds: (session: string) => Promise<boolean>;
  /** `session` is the SHA-256 of its token. */
  end(session: string): Promise<void>;
  /** With `work` in one transaction: both happen or none. Nothing ends when it answers false. */
  endAllOf(userId: number, work: (transaction: Queryable) => Promise<boolean>): Promise<boolean>;
  removeExpired(): Promise<void>;
  /** Where the user is signed in; `current` is the session that asks. */
  openOf(userId: number, current: string | null): Promise<readonly OpenSession[]>;
  /** False when the user has no such session. */
  endOneOf(userId: number, id: number): Promise<boolean>;
  /** All but the session `kept`; answers how many. */
  endAllBut(userId: number, kept: string | null): Promise<number>;
  /** The user has changed, or is gone: nothing that was read before is believed. */
  forget(userId: number): void;
}

export function sessionsOf(
  database: Database,
  limits: () => SessionLimits,
  clock: () => number,
): Sessions {
  const cache = new SessionCache(database, () => limits().idleMs, clock);

  /** The person as this session knows them: what is asked of them first depends on how it was begun. */
  function inSession({ user, byProvider, hasSecondFactor }: StoredSession): SignedInUser {
    return requiresSecondFactor(limits().secondFactorRequired, user.userType) &&
      !byProvider &&
      !hasSecondFactor
      ? { ...user, mustSetUpSecondFactor: true }
      : user;
  }

  return {
    async find(token) {
      const session = sha256Hex(token);
      const known = await cache.find(session);
      if (known === null) return null;
      const { byProvider, provenTime } = known;
      const proven = provenTime !== null && Math.abs(clock() - provenTime) < proofMinutes * 60_000;
      return { user: inSession(known), session, byProvider, proven };
    },

    async begin(user, passwordHash, beginning) {
      const created = await createSession(
        database,
        { ...beginning, userId: user.id, passwordHash },
        limits(),
        clock(),
      );
      if (created === null) return null;
      const { token, expiresAt } = created;
      const stored = await cache.find(sha256Hex(token));
      return stored === null ? null : { token, expiresAt, user: inSession(stored) };
    },

    async prove(session) {
      const now = clock();
      const noted = await noteProof(database, session, now);
      cache.forget(session);
      return noted ? now + proofMinutes * 60_000 : null;
    },

    async holds(session) {
      return (await findStoredSession(database, session, clock())) !== null;
    },

    // Forgotten after a failure too: what the database has done is not known then.
    end: (session) => deleteSession(database, session).finally(() => cache.forget(session)),

    endAllOf: (userId, work) =>
      database
        .transaction(async (tx) => {
          if (!(await work(tx))) return false;
          await deleteSessionsOf(tx, userId);
          return true;
        })
        .finally(() => cache.forgetUser(userId)),

    openOf: (userId, current) => openSessionsOf(database, userId, current, clock()),

    endOneOf: (userId, id) =>
      deleteSessionOf(database, userId, id).finally(() => cache.forgetUser(userId)),

    endAllBut: (userId, kept) =>
      deleteSessionsBut(database, userId, kept).finally(() => cache.forgetUser(userId)),

    forget: (userId) => cache.forgetUser(userId),

    async removeExpired() {
      cache.removeOutdated();
      await deleteExpiredSessions(database, clock());
    },
  };
}

/** Null when the user's password is not `passwordHash` any longer. */
async function createSession(
  database: Queryable,
  {
    userId,
    passwordHash,
    address,
    userAgent,
    byProvider = false,
    provenTime,
  }: SessionStart & { readonly userId: number; readonly passwordHash: string },
  { maxMs, idleMs }: SessionLimits,
  now: number,
): Promise<Pick<Begun, 'token' | 'expiresAt'> | null> {
  const token = randomBytes(32).toString('base64url');
  const endsTime = now + maxMs;
  const expiresTime = Math.min(now + idleMs, endsTime);
  const inserted = await insertSession(
    database,
    {
      tokenHash: sha256Hex(token),
      userId,
      address,
      userAgent,
      now,
      expiresTime,
      endsTime,
      byProvider,
      provenTime: provenTime === undefined ? now : provenTime,
    },
    passwordHash,
  );
  if (!inserted) return null;
  await noteSignIn(database, userId, address, now);
  return { token, expiresAt: expiresTime };
}

export function requiresSecondFactor(
  of: SessionLimits['secondFactorRequired'],
  userType: UserType,
): boolean {
  return of === 'everybody' || (of === 'administrators' && userType === 'Admin');
}
