/**
 * Sessions of signed-in people. A token is 256 random bits, of which only the SHA-256 is stored. A session ends after an idle
 * time, and at the latest some hours after it began.
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
  deleteOtherSessions,
  deleteSession,
  deleteUserSession,
  deleteUserSessions,
  findStoredSession,
  insertSession,
  noteProof,
  readOpenSessions,
  type StoredSession,
} from './session-store.ts';

export interface SessionLimits {
  readonly idleMs: number;
  readonly maxMs: number;
  readonly secondFactorRequired: GeneralSettings['secondFactorRequired'];
}

/** The circumstances of a sign-in. */
export interface SessionStart {
  readonly address: string;
  readonly userAgent: string;
  /** The sign-in was by an identity provider. */
  readonly byProvider?: boolean;
  /** When the person proved their identity; absent: now. Null: unknown. */
  readonly provenTime?: number | null;
}

export interface IssuedSession {
  readonly token: string;
  readonly expiresAt: number;
  readonly user: SignedInUser;
}

export interface Sessions {
  readonly find: SessionAuthenticator;
  /** Returns null when the user's password hash differs from `passwordHash`. */
  begin(
    user: SignedInUser,
    passwordHash: string,
    beginning: SessionStart,
  ): Promise<IssuedSession | null>;
  /** Records a proof of identity. Returns until when it is valid; null when the session has ended. */
  prove(session: string): Promise<number | null>;
  /** Returns whether the session is valid, without extending it. */
  readonly isValid: (session: string) => Promise<boolean>;
  /** @param session SHA-256 of its token. */
  end(session: string): Promise<void>;
  /** Runs `work` and ends the sessions in one transaction. Ends nothing when `work` returns false. */
  endAllForUser(
    userId: number,
    work: (transaction: Queryable) => Promise<boolean>,
  ): Promise<boolean>;
  removeExpired(): Promise<void>;
  /**
   * Lists where the user is signed in.
   * @param current The caller's session.
   */
  listOpen(userId: number, current: string | null): Promise<readonly OpenSession[]>;
  /** Returns false when the user has no such session. */
  endOne(userId: number, id: number): Promise<boolean>;
  /** Ends all sessions except `current` and returns their number. */
  endAllExcept(userId: number, current: string | null): Promise<number>;
  /** Drops cached data of a user who was changed or removed. */
  forget(userId: number): void;
}

export function createSessions(
  database: Database,
  limits: () => SessionLimits,
  clock: () => number,
): Sessions {
  const cache = new SessionCache(database, () => limits().idleMs, clock);

  /** Returns the user for this session: whether a second factor must be set up depends on the kind of sign-in. */
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

    async isValid(session) {
      return (await findStoredSession(database, session, clock())) !== null;
    },

    // Invalidated after a failure too: the database may have ended the session.
    end: (session) => deleteSession(database, session).finally(() => cache.forget(session)),

    endAllForUser: (userId, work) =>
      database
        .transaction(async (tx) => {
          if (!(await work(tx))) return false;
          await deleteUserSessions(tx, userId);
          return true;
        })
        .finally(() => cache.forgetUser(userId)),

    listOpen: (userId, current) => readOpenSessions(database, userId, current, clock()),

    endOne: (userId, id) =>
      deleteUserSession(database, userId, id).finally(() => cache.forgetUser(userId)),

    endAllExcept: (userId, current) =>
      deleteOtherSessions(database, userId, current).finally(() => cache.forgetUser(userId)),

    forget: (userId) => cache.forgetUser(userId),

    async removeExpired() {
      cache.removeOutdated();
      await deleteExpiredSessions(database, clock());
    },
  };
}

/** Returns null when the user's password hash differs from `passwordHash`. */
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
): Promise<Pick<IssuedSession, 'token' | 'expiresAt'> | null> {
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
  requirement: SessionLimits['secondFactorRequired'],
  userType: UserType,
): boolean {
  return requirement === 'everybody' || (requirement === 'administrators' && userType === 'Admin');
}
