/**
 * Runs searches of users: caches pages by the revision of the list, limits concurrent searches, and opens the sealed values of rows for
 * callers who may read restricted fields.
 */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { ListSource } from '../../platform/database/database.ts';
import { hasSealedFields, openSealed } from '../../platform/database/rows/list-columns.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { EndpointRequest } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { usesComputedCriteria } from '../criteria/computed-criteria.ts';
import { getSearchKey, type Search } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { RevisionCache } from '../memory/revision-cache.ts';
import { type SearchCaller, SearchLimit, type SearchLimits } from './search-limit.ts';
import { type FoundGroups, type FoundPage, SearchStore } from './search-store.ts';
import { UpdateCounts } from './update-counts.ts';

/** A process has ten connections for searches. Sign-ins and syncs have other connections. */
const defaultLimits: SearchLimits = {
  perUser: 3,
  allUsers: 6,
  maxWaiting: 64,
  waitTimeoutMs: 30_000,
};

/** Maximum of all cached pages, and of one page. A page of 1,000 rows is smaller. */
const maxBytes = 16 * 1024 * 1024;
const maxPageBytes = 1024 * 1024;
const overheadBytes = 200;

export interface SearchServiceParts {
  readonly database: ListSource;
  readonly box: Pick<SecretBox, 'open'>;
  readonly memories?: ListMemories;
  readonly limits?: SearchLimits;
  readonly store?: SearchStore;
}

export class SearchService {
  readonly store: SearchStore;
  readonly rows: RowSearch;
  readonly counts: UpdateCounts;
  readonly #limit: SearchLimit;
  readonly #pages: RevisionCache<FoundPage>;

  constructor({
    database,
    box,
    memories = new ListMemories(database),
    limits = defaultLimits,
    store = new SearchStore(database, { memories }),
  }: SearchServiceParts) {
    this.store = store;
    this.rows = restrictedSearch({ store, box });
    this.counts = new UpdateCounts(database, store, memories.stamps);
    this.#limit = new SearchLimit(limits);
    this.#pages = new RevisionCache(memories.stamps, {
      maxSize: maxBytes,
      maxEntrySize: maxPageBytes,
      measure: ({ rows }, key) => key.length + overheadBytes + rows.length,
    });
  }

  /** @throws AppError as `SearchStore.find` and `SearchLimit.run` do. */
  find(caller: SearchCaller, request: Search): Promise<FoundPage> {
    const search = { ...request, calledAt: performance.now() };
    const find = () => this.run(caller, () => this.rows.find(search, caller.signal));
    // Not cached, because sealed values are opened only for callers who may read them, and other criteria follow other tables.
    if (hasSealedFields(search.list) || usesComputedCriteria(search)) return find();
    return this.#pages.find([search.list], getPageKey(search), find, search.calledAt);
  }

  /** @throws AppError as `SearchStore.find` and `SearchLimit.run` do. */
  findGroups(caller: SearchCaller, request: Search): Promise<FoundGroups> {
    const search = { ...request, calledAt: performance.now() };
    return this.run(caller, () => this.store.findGroups(search, caller.signal));
  }

  /** Yields all rows in order, page by page. Each page is limited as a search of its own, so that a slow reader blocks nobody. */
  async *pages(caller: SearchCaller, search: Search): AsyncGenerator<readonly WireRow[]> {
    const pages = this.rows.pages(search, caller.signal);
    for (;;) {
      const next = await this.run(caller, () => pages.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Runs other work within the limits of searches. */
  run<T>(caller: SearchCaller, work: () => Promise<T>): Promise<T> {
    return this.#limit.run(caller, work);
  }
}

export function getSearchCaller(
  request: Pick<EndpointRequest<Endpoint>, 'user' | 'signal'>,
): SearchCaller {
  return { user: String(requireUser(request).id), signal: request.signal };
}

function getPageKey(search: Search): string {
  const { sort, usesDefaultSort, ranksMatches, ranksCurrent, offset, size, sight } = search;
  const order = [sort, usesDefaultSort, ranksMatches, ranksCurrent];
  return `${getSearchKey(search)} ${JSON.stringify([order, offset, size, sight.restricted])}`;
}

/** Finds rows, with restricted values only for callers who may read them. */
export interface RowSearch {
  find(search: Search, signal?: AbortSignal): Promise<FoundPage>;
  /** Yields all matching rows in the order of the search. */
  pages(search: Search, signal?: AbortSignal): AsyncGenerator<readonly WireRow[]>;
  /** Searches without opening sealed values. */
  readonly store: SearchStore;
}

interface RestrictedSearchParts {
  readonly store: SearchStore;
  readonly box: Pick<SecretBox, 'open'>;
}

export const restrictedSearch = ({ store, box }: RestrictedSearchParts): RowSearch => ({
  store,
  async find(search, signal) {
    const { rows, total } = await store.find(search, signal);
    if (!returnsOpenedValues(search)) return { rows, total };
    const opened = openRows(search, rows, box).map((row) => JSON.stringify(row));
    return { rows: opened.join(','), total };
  },
  async *pages(search, signal) {
    for await (const rows of store.pages(search, signal))
      yield returnsOpenedValues(search) ? openRows(search, rows, box) : readRows(rows);
  },
});

const returnsOpenedValues = ({ list, sight }: Search) => sight.restricted && hasSealedFields(list);

const readRows = (rows: string) => JSON.parse(`[${rows}]`) as readonly WireRow[];

const openRows = (
  { list }: Search,
  rows: string,
  { open }: Pick<SecretBox, 'open'>,
): readonly WireRow[] =>
  readRows(rows).map((row) => ({ ...row, ...openSealed(list, row, open) }) as WireRow);
