/** Reads the current revisions of the lists, with one query for all concurrent callers, and caches results of lists until the lists are written to. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { type ListStamp, readStamps } from './list-memory-store.ts';

interface Reading {
  /** Start of the query, by `performance.now()`. */
  readonly begunAt: number;
  readonly getStamp: (list: ListDefinition) => ListStamp;
}

export class ListStamps {
  readonly #shared: SharedRead<Reading>;
  #last: Reading | null = null;

  constructor(database: Queryable) {
    this.#shared = new SharedRead(async () => {
      const begunAt = performance.now();
      return { begunAt, getStamp: await readStamps(database) };
    });
  }

  /**
   * Returns a stamp that was current after the call, or after `since`, by `performance.now()`.
   * @throws DatabaseError
   */
  async read(list: ListDefinition, since?: number): Promise<ListStamp> {
    const known = since === undefined ? null : this.readSince(list, since);
    if (known !== null) return known;
    this.#last = await this.#shared.now();
    return this.#last.getStamp(list);
  }

  /** Returns the stamp of the last query when it started after `since`, null otherwise. */
  readSince(list: ListDefinition, since: number): ListStamp | null {
    return this.#last !== null && this.#last.begunAt >= since ? this.#last.getStamp(list) : null;
  }
}

export const isSameStamp = (a: ListStamp, b: ListStamp): boolean =>
  getStampKey(a) === getStampKey(b);

/** Returns a text that differs for each state of the list. */
const getStampKey = ({ epoch, revision, risk, listed }: ListStamp): string =>
  `${epoch}.${revision}.${risk}.${listed}`;

/** Returns true when the changes after `before` lead to `now`. In a restored database, they do not. */
export const isLater = (before: ListStamp, now: ListStamp): boolean =>
  before.epoch === now.epoch && before.revision <= now.revision && before.risk <= now.risk;

interface RevisionCacheLimits<Value> {
  /** Maximum of all values together, in the unit of `measure`. */
  readonly maxSize: number;
  /** Larger values are not cached. */
  readonly maxEntrySize?: number;
  /** Must return at least 1. */
  readonly measure: (value: Value, key: string) => number;
}

export class RevisionCache<Value extends object | string | number> {
  readonly #stamps: ListStamps;
  readonly #cache: LRUCache<string, { readonly value: Value }>;

  constructor(stamps: ListStamps, { measure, ...limits }: RevisionCacheLimits<Value>) {
    this.#stamps = stamps;
    this.#cache = new LRUCache({
      ...limits,
      sizeCalculation: ({ value }, key) => measure(value, key),
    });
  }

  /**
   * Returns the cached value for the current revisions of the lists, or the result of `find`.
   *
   * @param key identifies the request, in addition to the lists
   * @param calledAt as in `Search`
   * @throws DatabaseError, and the errors of `find`
   */
  async find(
    lists: readonly ListDefinition[],
    key: string,
    find: () => Promise<Value>,
    calledAt?: number,
  ): Promise<Value> {
    // Reads the stamps first, so that the value may be newer than they are, but never older.
    const stamps = await Promise.all(lists.map((list) => this.#stamps.read(list, calledAt)));
    const stamped = `${stamps.map(getStampKey).join()} ${key}`;
    const cached = this.#cache.get(stamped);
    if (cached !== undefined) return cached.value;
    const value = await find();
    this.#cache.set(stamped, { value });
    return value;
  }
}
