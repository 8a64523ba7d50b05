/** Searches of people: kept while nothing is written, limited in how many run at once. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import type { ListSource } from '../../platform/database/database.ts';
import { hasSealedFields } from '../../platform/database/list-columns.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { EndpointRequest } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Search } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { RevisionCache } from '../memory/revision-cache.ts';
import { type RowSearch, restrictedSearch } from './restricted-search.ts';
import { searchKey } from './search-key.ts';
import { type SearchCaller, SearchLimit, type SearchLimits } from './search-limit.ts';
import { type FoundPage, SearchStore } from './search-store.ts';
import { UpdateCounts } from './update-counts.ts';

/** A process has ten connections for searches: sign-ins and syncs have their own. */
const usualLimits: SearchLimits = { perUser: 3, inAll: 6, maxWaiting: 64, patience: 30_000 };

/** Bytes of all pages that are kept, and of one: a page of 1,000 rows takes less. */
const maxBytes = 16 * 1024 * 1024;
const maxPageBytes = 1024 * 1024;
const bytesBesideRows = 200;

export interface DeskParts {
  readonly database: ListSource;
  readonly box: Pick<SecretBox, 'open'>;
  readonly memories?: ListMemories;
  readonly limits?: SearchLimits;
  readonly store?: SearchStore;
}

export class SearchDesk {
  readonly store: SearchStore;
  readonly rows: RowSearch;
  readonly counts: UpdateCounts;
  readonly #limit: SearchLimit;
  readonly #pages: RevisionCache<FoundPage>;

  constructor({
    database,
    box,
    memories = new ListMemories(database),
    limits = usualLimits,
    store = new SearchStore(database, { memories }),
  }: DeskParts) {
    this.store = store;
    this.rows = restrictedSearch({ store, box });
    this.counts = new UpdateCounts(database, store, memories.stamps);
    this.#limit = new SearchLimit(limits);
    this.#pages = new RevisionCache(memories.stamps, {
      maxSize: maxBytes,
      maxEntrySize: maxPageBytes,
      sizeOf: ({ rows }, key) => key.length + bytesBesideRows + rows.length,
    });
  }

  /** @throws AppError as `SearchStore.find` and `SearchLimit.run` do. */
  find(caller: SearchCaller, asked: Search): Promise<FoundPage> {
    const search = { ...asked, calledAt: performance.now() };
    const find = () => this.run(caller, () => this.rows.find(search, caller.signal));
    // Sealed values are opened for the caller who may see them.
    if (hasSealedFields(search.list)) return find();
    return this.#pages.find([search.list], pageKey(search), find, search.calledAt);
  }

  /** All rows in their order, page after page. A slow reader keeps nobody waiting: each page is a search of its own. */
  async *pages(caller: SearchCaller, search: Search): AsyncGenerator<readonly WireRow[]> {
    const pages = this.rows.pages(search, caller.signal);
    for (;;) {
      const next = await this.run(caller, () => pages.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Any work that asks the database as a search does. */
  run<T>(caller: SearchCaller, work: () => Promise<T>): Promise<T> {
    return this.#limit.run(caller, work);
  }
}

export function searchCallerOf(
  request: Pick<EndpointRequest<Endpoint>, 'user' | 'signal'>,
): SearchCaller {
  return { user: String(requireUser(request).id), signal: request.signal };
}

function pageKey(search: Search): string {
  const { sort, ownOrder, offset, size, seesRestricted } = search;
  return `${searchKey(search)} ${JSON.stringify([sort, ownOrder, offset, size, seesRestricted])}`;
}
