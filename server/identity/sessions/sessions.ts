/**
 * Sessions of signed-in people. A token is 256 random bits, of which only the SHA-256 is stored. A session ends after an idle
 * time, and at the latest some hours after it began.
 */

import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { proofMinutes, type SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { GeneralSettings } from '@patch/contract/operations/settings-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { SessionAuthenticator } from '../../platform/http/authenticate.ts';
import { noteSignIn } from '../accounts/attempt-limit.ts';
import { requiresSecondFactor, withObligation } from '../accounts/required-second-factor.ts';
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

export class Sessions {
  readonly #database: Database;
  readonly #limits: () => SessionLimits;
  readonly #clock: () => number;
  readonly #cache: SessionCache;

  constructor(database: Database, limits: () => SessionLimits, clock: () => number) {
    this.#database = database;
    this.#limits = limits;
    this.#clock = clock;
    this.#cache = new SessionCache(database, () => limits().idleMs, clock);
  }

  readonly find: SessionAuthenticator = async (token) => {
    const session = sha256Hex(token);
    const known = await this.#cache.find(session);
    if (known === null) return null;
    const { byProvider, provenTime } = known;
    const proven =
      provenTime !== null && Math.abs(this.#clock() - provenTime) < proofMinutes * 60_000;
    return { user: this.#inSession(known), session, byProvider, proven };
  };

  /** Returns whether the session is valid, without extending it. */
  readonly isValid = async (session: string): Promise<boolean> =>
    (await findStoredSession(this.#database, session, this.#clock())) !== null;

  /** Returns null when the user's password hash differs from `passwordHash`. */
  async begin(
    { id: userId }: Pick<SignedInUser, 'id'>,
    passwordHash: string,
    { address, userAgent, byProvider = false, provenTime }: SessionStart,
  ): Promise<IssuedSession | null> {
    const token = randomBytes(32).toString('base64url');
    const tokenHash = sha256Hex(token);
    const now = this.#clock();
    const { maxMs, idleMs } = this.#limits();
    const endsTime = now + maxMs;
    const expiresTime = Math.min(now + idleMs, endsTime);
    const proof = { byProvider, provenTime: provenTime === undefined ? now : provenTime };
    const session = { tokenHash, userId, address, userAgent, now, expiresTime, endsTime };
    if (!(await insertSession(this.#database, { ...session, ...proof }, passwordHash))) return null;
    await noteSignIn(this.#database, userId, address, now);
    const stored = await this.#cache.find(tokenHash);
    return stored && { token, expiresAt: expiresTime, user: this.#inSession(stored) };
  }

  /** Records a proof of identity. Returns until when it is valid; null when the session has ended. */
  async prove(session: string): Promise<number | null> {
    const now = this.#clock();
    const noted = await noteProof(this.#database, session, now);
    this.#cache.forget(session);
    return noted ? now + proofMinutes * 60_000 : null;
  }

  /**
   * Ends the session, and forgets it after a failure too: the database may have ended it.
   * @param session SHA-256 of its token.
   */
  async end(session: string): Promise<void> {
    await deleteSession(this.#database, session).finally(() => this.#cache.forget(session));
  }

  /** Runs `work` and ends the sessions in one transaction. Ends nothing when `work` returns false. */
  async endAllForUser(
    userId: number,
    work: (transaction: Queryable) => Promise<boolean>,
  ): Promise<boolean> {
    const ended = this.#database.transaction(async (tx) => {
      if (!(await work(tx))) return false;
      await deleteUserSessions(tx, userId);
      return true;
    });
    return ended.finally(() => this.forget(userId));
  }

  /**
   * Lists where the user is signed in.
   * @param current The caller's session.
   */
  listOpen(userId: number, current: string | null) {
    return readOpenSessions(this.#database, userId, current, this.#clock());
  }

  /** Returns false when the user has no such session. */
  endOne(userId: number, id: number): Promise<boolean> {
    return deleteUserSession(this.#database, userId, id).finally(() => this.forget(userId));
  }

  /** Ends all sessions except `current` and returns their number. */
  endAllExcept(userId: number, current: string | null): Promise<number> {
    return deleteOtherSessions(this.#database, userId, current).finally(() => this.forget(userId));
  }

  /** Drops cached data of a user who was changed or removed. */
  forget(userId: number): void {
    this.#cache.forgetUser(userId);
  }

  async removeExpired(): Promise<void> {
    this.#cache.removeOutdated();
    await deleteExpiredSessions(this.#database, this.#clock());
  }

  /** Returns the user for this session: whether a second factor must be set up depends on the kind of sign-in. */
  #inSession({ user, byProvider, hasSecondFactor }: StoredSession): SignedInUser {
    const { secondFactorRequired } = this.#limits();
    return withObligation(user, !byProvider && !hasSecondFactor, (userType) =>
      requiresSecondFactor(secondFactorRequired, userType),
    );
  }
}
