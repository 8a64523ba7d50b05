/** At which revision the lists are now: one small reading for all who ask at the same time. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { type ListStamp, readStamps } from './list-memory-store.ts';

export class ListStamps {
  readonly #shared: SharedRead<(list: ListDefinition) => ListStamp>;

  constructor(database: Queryable) {
    this.#shared = new SharedRead(() => readStamps(database));
  }

  /** True at a moment after the call. Rejects with a DatabaseError. */
  async of(list: ListDefinition): Promise<ListStamp> {
    const stampOf = await this.#shared.now();
    return stampOf(list);
  }
}

export const isSameStamp = (one: ListStamp, other: ListStamp): boolean =>
  one.revision === other.revision && one.risk === other.risk && one.listed === other.listed;
