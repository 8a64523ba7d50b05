/**
 * Licensed clients and list revisions in memory, so that a poll costs no query of its own: one
 * small query tells all
 * concurrent polls what this or another process has changed. See docs/decisions/054.
 */
import { getList } from '@patch/catalogue/lists.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/database/database.ts';
import { type Epochs, readEpochs } from '../../platform/database/rows/epoch-store.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { type ChangeStates, type ListChangeState, readChangeStates } from './change-store.ts';
import {
  findClientByToken,
  findClientsChangedSince,
  readClient,
  type StoredClient,
} from './licensed-client-store.ts';

const registry = getList('floto_user').key;

const maxClients = 20_000;
/** Changes made directly in the database, past the service, become visible after this time. */
const maxAgeMs = 60_000;

type MemoryState = ChangeStates & { readonly epochs: Epochs };

interface CachedClient {
  readonly tokenHash: string;
  readonly client: StoredClient;
}

export class ClientMemory {
  readonly #database: Queryable;
  readonly #byToken: LRUCache<string, CachedClient>;
  readonly #byId: LRUCache<number, CachedClient>;
  readonly #shared: SharedRead<MemoryState>;
  #state: MemoryState | null = null;

  /** `clock`: epoch milliseconds. */
  constructor(database: Queryable, clock: () => number) {
    this.#database = database;
    const limits = { max: maxClients, ttl: maxAgeMs, perf: { now: clock } };
    this.#byToken = new LRUCache(limits);
    this.#byId = new LRUCache(limits);
    this.#shared = new SharedRead(() => this.#readState());
  }

  /** Returns the client with this token as of a moment after the call; null for an unknown token. */
  async findByToken(tokenHash: string): Promise<StoredClient | null> {
    await this.#shared.now();
    const entry = this.#byToken.get(tokenHash);
    if (entry !== undefined) return entry.client;
    const state = this.#state;
    const client = await findClientByToken(this.#database, tokenHash);
    // The registry may have changed during the read, so a client read meanwhile may be stale.
    if (client !== null && state === this.#state) this.#keep({ tokenHash, client });
    return client;
  }

  /** Returns a client that was found by its token in this request. */
  async findById(id: number): Promise<StoredClient | null> {
    return this.#byId.get(id)?.client ?? (await readClient(this.#database, id));
  }

  /** Returns the state of a list as of a moment after the client of this request was found. */
  async listState(list: string): Promise<ListChangeState> {
    const { epochs, revisions } = this.#state ?? (await this.#shared.now());
    return { epochs, revision: revisions[list] ?? 0 };
  }

  async #readState(): Promise<MemoryState> {
    const now = await readChangeStates(this.#database);
    const { epoch, starts, revisions } = now;
    const before = this.#state;
    const isSameEpoch = before?.epoch === epoch && before.starts === starts;
    const state = {
      ...now,
      epochs: isSameEpoch ? before.epochs : await readEpochs(this.#database),
    };
    if (before === null || before.epoch !== state.epoch) this.#forgetAll();
    else if (before.revisions[registry] !== revisions[registry])
      await this.#forgetChanged(before.revisions[registry] ?? 0);
    else if (isSameEpoch && isSameState(before, state)) return before;
    this.#state = state;
    return state;
  }

  async #forgetChanged(since: number): Promise<void> {
    for (const id of await findClientsChangedSince(this.#database, since)) {
      const entry = this.#byId.peek(id);
      if (entry !== undefined) this.#byToken.delete(entry.tokenHash);
      this.#byId.delete(id);
    }
  }

  #forgetAll(): void {
    this.#byToken.clear();
    this.#byId.clear();
  }

  #keep(entry: CachedClient): void {
    this.#byToken.set(entry.tokenHash, entry);
    this.#byId.set(entry.client.id, entry);
  }
}

function isSameState(a: ChangeStates, b: ChangeStates): boolean {
  const lists = Object.keys(b.revisions);
  return (
    lists.length === Object.keys(a.revisions).length &&
    lists.every((list) => a.revisions[list] === b.revisions[list])
  );
}
