/** The sessions that were read within the last seconds, so that not every request asks the database. */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/database/database.ts';
import { extendSession, findStoredSession, type StoredSession } from './session-store.ts';

/** How long a session is returned without reading it again. Another process's sign-out is seen after that. */
const cacheTtlMs = 5_000;
const maxCached = 10_000;
/** A session in use is written back at most this often; its idle time is counted from there. */
const writeIntervalMs = 60_000;

export class SessionCache {
  readonly #database: Queryable;
  readonly #idleMs: () => number;
  readonly #clock: () => number;
  /** By the SHA-256 of the token. */
  readonly #found = new LRUCache<string, StoredSession & { readonly readAt: number }>({
    max: maxCached,
  });
  /** Raised whenever sessions end, so that one that was read before is not remembered after. */
  #endings = 0;

  constructor(database: Queryable, idleMs: () => number, clock: () => number) {
    this.#database = database;
    this.#idleMs = idleMs;
    this.#clock = clock;
  }

  /** Counts as use of the session: its idle time begins again. Null: no such session, or it has ended. */
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

  /** The session has ended or has changed. */
  forget(tokenHash: string): void {
    this.#endings++;
    this.#found.delete(tokenHash);
  }

  /** The user's sessions have ended, or the user has changed. */
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

/** Before and after: a clock may be set back. */
const isWithin = (ms: number, time: number, now: number) => Math.abs(now - time) < ms;
