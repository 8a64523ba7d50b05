/** Keeps what was found in a list for as long as the list has not changed since. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import type { ListStamp } from './list-memory-store.ts';
import { isSameStamp, type ListStamps } from './list-stamps.ts';

interface Stamped<Value> {
  readonly stamp: ListStamp;
  readonly value: Value;
}

export interface StampedCacheLimits<Value> {
  /** Of all values together, in the unit of `sizeOf`. */
  readonly maxSize: number;
  /** Of one value: a larger one is not kept. */
  readonly maxEntrySize?: number;
  /** At least 1. */
  readonly sizeOf: (value: Value, key: string) => number;
}

export class StampedCache<Value> {
  readonly #kept: LRUCache<string, Stamped<Value>>;

  constructor({ sizeOf, ...limits }: StampedCacheLimits<Value>) {
    this.#kept = new LRUCache({
      ...limits,
      sizeCalculation: ({ value }, key) => sizeOf(value, key),
    });
  }

  /** Undefined where nothing is kept of this stamp. */
  get(key: string, stamp: ListStamp): Value | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && isSameStamp(kept.stamp, stamp) ? kept.value : undefined;
  }

  /** `stamp`: of the list when the value was found, or earlier. */
  set(key: string, stamp: ListStamp, value: Value): void {
    this.#kept.set(key, { stamp, value });
  }

  /**
   * The value as the list stands now, with the stamp from which on it is true: the kept one, or what `find` finds, whose failures are
   * passed on. Rejects with a DatabaseError.
   */
  async find(
    stamps: ListStamps,
    { list, key }: { readonly list: ListDefinition; readonly key: string },
    find: () => Promise<Value>,
  ): Promise<Stamped<Value>> {
    // Read first: what is found afterwards may be newer than its stamp says, and is then found again, but never older.
    const stamp = await stamps.of(list);
    const kept = this.get(key, stamp);
    if (kept !== undefined) return { stamp, value: kept };
    const value = await find();
    this.set(key, stamp, value);
    return { stamp, value };
  }
}
