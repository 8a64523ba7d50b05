/** Keeps pages that are asked for again while nothing changes: readers of a console mostly ask for the same first pages. */
import { LRUCache } from 'lru-cache';
import type { Search } from '../criteria/search-request.ts';
import { canBeHeld } from '../memory/held-search.ts';
import type { ListStamps } from '../memory/list-stamps.ts';
import { StampedCache } from '../memory/stamped-cache.ts';
import { searchKey } from './search-key.ts';
import type { FoundPage } from './search-store.ts';

const maxBytes = 16 * 1024 * 1024;
/** A page of 1,000 rows takes less. A larger one is sent to a program that wants the next one, not the same again. */
const maxPageBytes = 1024 * 1024;
/** Of a page beside its rows, and of a mention. */
const bytesOfKeeping = 200;
const maxBytesOfMentions = 1024 * 1024;

export class PageCache {
  readonly #stamps: ListStamps;
  /** Pages that were asked for: what is asked for once costs no reading of the stamp. */
  readonly #mentioned = new LRUCache<string, true>({
    maxSize: maxBytesOfMentions,
    sizeCalculation: (_, key) => key.length + bytesOfKeeping,
  });
  readonly #kept = new StampedCache<FoundPage>({
    maxSize: maxBytes,
    maxEntrySize: maxPageBytes,
    sizeOf: ({ rows }, key) => key.length + bytesOfKeeping + rows.length,
  });

  constructor(stamps: ListStamps) {
    this.#stamps = stamps;
  }

  /** The page as it stands now: the kept one, or what `find` finds, whose failures are passed on. Rejects with a DatabaseError. */
  async find(search: Search, find: () => Promise<FoundPage>): Promise<FoundPage> {
    const { list } = search;
    // Sealed values are opened for the caller who may see them.
    if (!canBeHeld(list)) return find();
    const key = pageKey(search);
    if (this.#mentioned.get(key) === undefined) {
      this.#mentioned.set(key, true);
      return find();
    }
    const { value } = await this.#kept.find(this.#stamps, { list, key }, find);
    return value;
  }
}

function pageKey(search: Search): string {
  const { sort, ownOrder, offset, size, seesRestricted } = search;
  return `${searchKey(search)} ${JSON.stringify([sort, ownOrder, offset, size, seesRestricted])}`;
}
