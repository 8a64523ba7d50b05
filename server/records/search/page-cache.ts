/** Keeps pages that are asked for again while nothing changes: readers of a console mostly ask for the same first pages. */
import { LRUCache } from 'lru-cache';
import type { Search } from '../criteria/search-request.ts';
import { canBeHeld } from '../memory/held-search.ts';
import type { ListStamp } from '../memory/list-memory-store.ts';
import { isSameStamp, type ListStamps } from '../memory/list-stamps.ts';
import { type FoundPage, searchKey } from './search-store.ts';

const maxBytes = 16 * 1024 * 1024;
/** A page of this size is sent to a program that wants the next one, not the same again. */
const maxPageBytes = 256 * 1024;
/** Of a page that was asked for once, until it is asked for again. */
const bytesOfMention = 200;

interface KeptPage {
  readonly stamp: ListStamp;
  readonly page: FoundPage;
}

export class PageCache {
  readonly #stamps: ListStamps;
  /** `once`: what is asked for once costs no reading of the stamp. */
  readonly #kept = new LRUCache<string, KeptPage | 'once'>({
    maxSize: maxBytes,
    sizeCalculation: (kept, key) =>
      key.length + (kept === 'once' ? bytesOfMention : bytesOfMention + kept.page.rows.length),
  });

  constructor(stamps: ListStamps) {
    this.#stamps = stamps;
  }

  /** The page as it stands now: the kept one, or what `find` finds, whose failures are passed on. Rejects with a DatabaseError. */
  async find(search: Search, find: () => Promise<FoundPage>): Promise<FoundPage> {
    // Sealed values are opened for the caller who may see them.
    if (!canBeHeld(search.list)) return find();
    const key = pageKey(search);
    const kept = this.#kept.get(key);
    if (kept === undefined) {
      this.#kept.set(key, 'once');
      return find();
    }
    // A page that is found after this stamp was read may be newer: it is then found again, and never returned as older than it is.
    const stamp = await this.#stamps.of(search.list);
    if (kept !== 'once' && isSameStamp(kept.stamp, stamp)) return kept.page;
    const page = await find();
    if (page.rows.length <= maxPageBytes) this.#kept.set(key, { stamp, page });
    return page;
  }
}

function pageKey(search: Search): string {
  const { sort, ownOrder, offset, size, seesRestricted } = search;
  return `${searchKey(search)} ${JSON.stringify([sort, ownOrder, offset, size, seesRestricted])}`;
}
