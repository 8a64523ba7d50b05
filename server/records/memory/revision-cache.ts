/** Keeps what was found in lists for as long as nothing is written to them. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import type { ListStamps } from './list-stamps.ts';

export interface RevisionCacheLimits<Value> {
  /** Of all values together, in the unit of `sizeOf`. */
  readonly maxSize: number;
  /** Of one value: a larger one is not kept. */
  readonly maxEntrySize?: number;
  /** At least 1. */
  readonly sizeOf: (value: Value, key: string) => number;
}

export class RevisionCache<Value extends object | string | number> {
  readonly #stamps: ListStamps;
  readonly #kept: LRUCache<string, { readonly value: Value }>;

  constructor(stamps: ListStamps, { sizeOf, ...limits }: RevisionCacheLimits<Value>) {
    this.#stamps = stamps;
    this.#kept = new LRUCache({
      ...limits,
      sizeCalculation: ({ value }, key) => sizeOf(value, key),
    });
  }

  /**
   * The value as the lists stand now: the kept one, or what `find` finds, whose failures are passed on. `key`: equal for the same
   * question. `calledAt`: of the call, as in `Search`. Rejects with a DatabaseError.
   */
  async find(
    lists: readonly ListDefinition[],
    key: string,
    find: () => Promise<Value>,
    calledAt?: number,
  ): Promise<Value> {
    // The stamps are read first: what is found afterwards may be newer than they say, never older.
    const stamps = await Promise.all(lists.map((list) => this.#stamps.of(list, calledAt)));
    const revisions = stamps.map(({ revision, risk, listed }) => `${revision}.${risk}.${listed}`);
    const stamped = `${revisions.join()} ${key}`;
    const kept = this.#kept.get(stamped);
    if (kept !== undefined) return kept.value;
    const value = await find();
    this.#kept.set(stamped, { value });
    return value;
  }
}
