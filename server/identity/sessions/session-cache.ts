/** Caches sessions for some seconds, so that not every request queries the database. */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/database/database.ts';
import { extendSession, findStoredSession, type StoredSession } from './session-store.ts';

/** Time for which a cached session is trusted. A sign-out in another process becomes visible after it. */
const cacheTtlMs = 5_000;
const maxCached = 10_000;
/** Minimum time between two writes of a session's use. The idle time counts from the last write. */
const writeIntervalMs = 60_000;

export class SessionCache {
  readonly #database: Queryable;
  readonly #idleMs: () => number;
  readonly #clock: () => number;
  /** Sessions by the SHA-256 of the token. */
  readonly #found = new LRUCache<string, StoredSession & { readonly readAt: number }>({
    max: maxCached,
  });
  /** Incremented whenever sessions end, so that a session read before is not cached after. */
  #endings = 0;

  constructor(database: Queryable, idleMs: () => number, clock: () => number) {
    this.#database = database;
    this.#idleMs = idleMs;
    this.#clock = clock;
  }

  /** Returns the session and extends its idle time; null when it does not exist or has ended. */
  async find(tokenHash: string): Promise<StoredSession | null> {
    const now = this.#clock();
    const known = this.#found.get(tokenHash);
    if (known !== undefined && isWithin(cacheTtlMs, known.readAt, now) && now < known.expiresTime)
      return known;
    this.#found.delete(tokenHash);
    const endingsBefore = this.#endings;
    const stored = await findStoredSession(this.#database, tokenHash, now);
    if (stored === null) return null;
    const session = isWithin(writeIntervalMs, stored.lastUsedTime, now)
      ? stored
      : await this.#extend(tokenHash, stored, now);
    if (this.#endings === endingsBefore) this.#found.set(tokenHash, { ...session, readAt: now });
    return session;
  }

  /** Call when the session has ended or changed. */
  forget(tokenHash: string): void {
    this.#endings++;
    this.#found.delete(tokenHash);
  }

  /** Call when the user's sessions have ended, or the user has changed. */
  forgetUser(userId: number): void {
    this.#endings++;
    this.#deleteWhere(({ user }) => user.id === userId);
  }

  removeOutdated(): void {
    const now = this.#clock();
    this.#deleteWhere(({ readAt }) => !isWithin(cacheTtlMs, readAt, now));
  }

  async #extend(tokenHash: string, session: StoredSession, now: number): Promise<StoredSession> {
    const expiresTime = Math.min(now + this.#idleMs(), session.endsTime);
    await extendSession(this.#database, tokenHash, now, expiresTime);
    return { ...session, lastUsedTime: now, expiresTime };
  }

  #deleteWhere(matches: (session: StoredSession & { readonly readAt: number }) => boolean): void {
    for (const [tokenHash] of [...this.#found].filter(([, session]) => matches(session)))
      this.#found.delete(tokenHash);
  }
}

/** Compares in both directions, since a clock may be set back. */
const isWithin = (ms: number, time: number, now: number) => Math.abs(now - time) < ms;
