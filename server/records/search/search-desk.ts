/** Where people's searches are let in: cheap ones at once, others as the two gates allow, so that no user keeps all others waiting. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import type { ListSource } from '../../platform/database/database.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { EndpointRequest } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Search } from '../criteria/search-request.ts';
import type { HeldSearches } from '../memory/held-searches.ts';
import { FairGate, type GateLimits } from './fair-gate.ts';
import type { PageCache } from './page-cache.ts';
import { databaseSearch, type RowSearch, restrictedSearch } from './restricted-search.ts';
import { searchKey } from './search-key.ts';
import { type FoundPage, SearchStore } from './search-store.ts';
import { UpdateCounts } from './update-counts.ts';

/** Who asks, until they leave. */
export interface SearchCaller {
  readonly user: string;
  readonly signal: AbortSignal;
}

export interface DeskLimits {
  /** Of searches that take the database for long, in windows. */
  readonly heavy: GateLimits;
  /** Of all others but plain first pages. */
  readonly light: GateLimits;
}

/** A PostgreSQL server has ten connections for all that this process asks: searches never hold all of them. */
const usual: DeskLimits = {
  heavy: { perUser: 2, inAll: 3, maxWaiting: 16, patience: 30_000 },
  light: { perUser: 2, inAll: 4, maxWaiting: 64, patience: 30_000 },
};

export interface DeskParts {
  readonly database: ListSource;
  readonly box: Pick<SecretBox, 'open'>;
  readonly limits?: DeskLimits;
  readonly store?: SearchStore;
  /** Lists in memory that searches are answered from; without them everything is asked of the database. */
  readonly searches?: HeldSearches | null;
  /** Pages that are asked for again; without it each is found again. */
  readonly pages?: PageCache | null;
}

export class SearchDesk {
  readonly store: SearchStore;
  readonly rows: RowSearch;
  readonly counts: UpdateCounts;
  readonly #heavy: FairGate;
  readonly #light: FairGate;
  readonly #pages: PageCache | null;

  constructor({ database, box, limits = usual, store, searches = null, pages = null }: DeskParts) {
    this.#pages = pages;
    this.store = store ?? new SearchStore(database, {}, searches);
    this.rows = restrictedSearch({ store: this.store, box });
    this.counts = new UpdateCounts(database, this.store);
    this.#heavy = new FairGate(limits.heavy);
    this.#light = new FairGate(limits.light);
  }

  /** A page of a search. */
  find(asker: SearchCaller, search: Search): Promise<FoundPage> {
    const find = () => this.#find(asker, search);
    return this.#pages === null ? find() : this.#pages.find(search, find);
  }

  async #find(asker: SearchCaller, search: Search): Promise<FoundPage> {
    if (this.store.isHeld(search)) {
      const turn = { ...asker, screen: searchKey(search) };
      const held = await this.#light.run(turn, () => this.store.findHeld(search, asker.signal));
      if (held !== null) return held;
    }
    return this.run(asker, search, () => this.rows.find(search, asker.signal));
  }

  /** All rows in their order, page after page; each is let in on its own, so that a slow reader holds no slot. */
  async *pages(asker: SearchCaller, search: Search): AsyncGenerator<readonly WireRow[]> {
    const pages = this.rows.pages(search, asker.signal);
    for (;;) {
      const next = await this.run(asker, search, () => pages.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Any work of the price of a search; calls about the same rows share a slot. Throws an AppError for a search that is too expensive. */
  async run<T>(asker: SearchCaller, search: Search, work: () => Promise<T>): Promise<T> {
    if (this.store.isPlain(search)) return work();
    const { isHeavy } = await this.store.price(databaseSearch(search));
    return (isHeavy ? this.#heavy : this.#light).run({ ...asker, screen: searchKey(search) }, work);
  }

  /** Work that may ask for several heavy things, one after the other; calls with the same name share a slot. */
  runHeavy<T>(asker: SearchCaller, name: string, work: () => Promise<T>): Promise<T> {
    return this.#heavy.run({ ...asker, screen: name }, work);
  }

  /** Work that asks for several things, none of which is heavy; calls with the same name share a slot. */
  runLight<T>(asker: SearchCaller, name: string, work: () => Promise<T>): Promise<T> {
    return this.#light.run({ ...asker, screen: name }, work);
  }
}

export function searchCallerOf(
  request: Pick<EndpointRequest<Endpoint>, 'user' | 'signal'>,
): SearchCaller {
  return { user: String(requireUser(request).id), signal: request.signal };
}
