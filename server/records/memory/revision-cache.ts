/** Caches results of lists until the lists are written to. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import { getStampKey, type ListStamps } from './list-stamps.ts';

export interface RevisionCacheLimits<Value> {
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
