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
import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { SessionAuthenticator } from '../../platform/http/authenticate.ts';
import { noteSignIn } from '../accounts/sign-in-limits.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsBut,
  deleteSessionsOf,
  findStoredSession,
  insertSession,
  moveSessionOn,
  noteProof,
  openSessionsOf,
  type StoredSession,
} from './session-store.ts';

/** How long a session that was found is believed without asking again. Another process's sign-out is seen after that. */
const believed = 5_000;
const maxBelieved = 10_000;
/** A session in use is written back at most this often; its idle time is counted from there. */
const writtenEvery = 60_000;

export interface SessionLimits {
  readonly idleMs: number;
  readonly maxMs: number;
  readonly secondFactorRequired: GeneralSettings['secondFactorRequired'];
}

/** How a session is begun. */
export interface Beginning {
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
  begin(user: SignedInUser, passwordHash: string, beginning: Beginning): Promise<Begun | null>;
  /** The person has proved who they are. Until when that is good; null when the session has ended. */
  prove(session: string): Promise<number | null>;
  /** Whether the session still holds, without counting as its use. */
  holds(session: string): Promise<boolean>;
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
  const found = new LRUCache<string, StoredSession & { readonly readAt: number }>({
    max: maxBelieved,
  });
  /** Raised whenever sessions end, so that one that was read before is not remembered after. */
  let endings = 0;

  async function find(tokenHash: string): Promise<StoredSession | null> {
    const now = clock();
    const known = found.get(tokenHash);
    if (known !== undefined && now - known.readAt < believed && now < known.expiresTime)
      return known;
    found.delete(tokenHash);
    const endingsBefore = endings;
    const stored = await findStoredSession(database, tokenHash, now);
    if (stored === null) return null;
    const session =
      now - stored.lastUsedTime < writtenEvery ? stored : await movedOn(tokenHash, stored, now);
    if (endings === endingsBefore) found.set(tokenHash, { ...session, readAt: now });
    return session;
  }

  async function movedOn(
    tokenHash: string,
    session: StoredSession,
    now: number,
  ): Promise<StoredSession> {
    const expiresTime = Math.min(now + limits().idleMs, session.endsTime);
    await moveSessionOn(database, tokenHash, now, expiresTime);
    return { ...session, lastUsedTime: now, expiresTime };
  }

  /** The person as this session knows them: what is asked of them first depends on how it was begun. */
  function inSession({ user, byProvider, hasSecondFactor }: StoredSession): SignedInUser {
    return requiresSecondFactor(limits().secondFactorRequired, user.userType) &&
      !byProvider &&
      !hasSecondFactor
      ? { ...user, mustSetUpSecondFactor: true }
      : user;
  }

  function forget(userId: number) {
    endings++;
    for (const [session] of [...found].filter(([, { user }]) => user.id === userId))
      found.delete(session);
  }

  return {
    async find(token) {
      const session = sha256Hex(token);
      const known = await find(session);
      if (known === null) return null;
      const { byProvider, provenTime } = known;
      const proven = provenTime !== null && Math.abs(clock() - provenTime) < proofMinutes * 60_000;
      return { user: inSession(known), session, byProvider, proven };
    },

    async begin(user, passwordHash, { address, userAgent, byProvider = false, provenTime }) {
      const token = randomBytes(32).toString('base64url');
      const now = clock();
      const endsTime = now + limits().maxMs;
      const expiresTime = Math.min(now + limits().idleMs, endsTime);
      const begun = await insertSession(
        database,
        {
          tokenHash: sha256Hex(token),
          userId: user.id,
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
      if (!begun) return null;
      await noteSignIn(database, user.id, address, now);
      const stored = await find(sha256Hex(token));
      return stored === null ? null : { token, expiresAt: expiresTime, user: inSession(stored) };
    },

    async prove(session) {
      const now = clock();
      const noted = await noteProof(database, session, now);
      endings++;
      found.delete(session);
      return noted ? now + proofMinutes * 60_000 : null;
    },

    async holds(session) {
      return (await findStoredSession(database, session, clock())) !== null;
    },

    async end(session) {
      try {
        await deleteSession(database, session);
      } finally {
        endings++;
        found.delete(session);
      }
    },

    async endAllOf(userId, work) {
      try {
        return await database.transaction(async (transaction) => {
          if (!(await work(transaction))) return false;
          await deleteSessionsOf(transaction, userId);
          return true;
        });
      } finally {
        forget(userId);
      }
    },

    openOf: (userId, current) => openSessionsOf(database, userId, current, clock()),

    async endOneOf(userId, id) {
      try {
        return await deleteSessionOf(database, userId, id);
      } finally {
        forget(userId);
      }
    },

    async endAllBut(userId, kept) {
      try {
        return await deleteSessionsBut(database, userId, kept);
      } finally {
        forget(userId);
      }
    },

    forget,

    async removeExpired() {
      const now = clock();
      for (const [session, { readAt }] of found)
        if (now - readAt >= believed) found.delete(session);
      await deleteExpiredSessions(database, now);
    },
  };
}

export function requiresSecondFactor(
  of: SessionLimits['secondFactorRequired'],
  userType: UserType,
): boolean {
  return of === 'everybody' || (of === 'administrators' && userType === 'Admin');
}
