/** Reads the current revisions of the lists, with one query for all concurrent callers. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
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
export const getStampKey = ({ epoch, revision, risk, listed }: ListStamp): string =>
  `${epoch}.${revision}.${risk}.${listed}`;

/** Returns true when the changes after `before` lead to `now`. In a restored database, they do not. */
export const isLater = (before: ListStamp, now: ListStamp): boolean =>
  before.epoch === now.epoch && before.revision <= now.revision && before.risk <= now.risk;
