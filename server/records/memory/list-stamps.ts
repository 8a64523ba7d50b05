/** At which revision the lists are now: one small reading for all who ask at the same time. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { type ListStamp, readStamps } from './list-memory-store.ts';

interface Reading {
  /** By `performance.now()`. */
  readonly begunAt: number;
  readonly stampOf: (list: ListDefinition) => ListStamp;
}

export class ListStamps {
  readonly #shared: SharedRead<Reading>;
  #last: Reading | null = null;

  constructor(database: Queryable) {
    this.#shared = new SharedRead(async () => {
      const begunAt = performance.now();
      return { begunAt, stampOf: await readStamps(database) };
    });
  }

  /**
   * Returns a stamp that was true at a moment after the call, or after `since`, by `performance.now()`.
   * @throws DatabaseError
   */
  async of(list: ListDefinition, since?: number): Promise<ListStamp> {
    const known = since === undefined ? null : this.readSince(list, since);
    if (known !== null) return known;
    this.#last = await this.#shared.now();
    return this.#last.stampOf(list);
  }

  /** Returns the stamp of the last reading when that began after `since`, null otherwise. */
  readSince(list: ListDefinition, since: number): ListStamp | null {
    return this.#last !== null && this.#last.begunAt >= since ? this.#last.stampOf(list) : null;
  }
}

export const isSameStamp = (one: ListStamp, other: ListStamp): boolean =>
  one.revision === other.revision && one.risk === other.risk && one.listed === other.listed;
