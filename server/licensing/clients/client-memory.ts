/**
 * Licensed clients and the revisions of their lists in memory, so that a client that asks whether anything is new costs no query of its
 * own: one small query says for all who ask at the same time what has changed, in this process or in another. See docs/decisions/054.
 */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { type ChangeStates, changeStates, type ListChangeState } from './change-store.ts';
import {
  clientOfToken,
  clientsChangedSince,
  readClient,
  type StoredClient,
} from './licensed-client-store.ts';

const registry = listOfKey('floto_user').key;

const maxClients = 20_000;
/** What is written past the service, with SQL, is seen after so long. */
const maxAgeMs = 60_000;

interface ClientOfToken {
  readonly tokenHash: string;
  readonly client: StoredClient;
}

export class ClientMemory {
  readonly #database: Queryable;
  readonly #byToken: LRUCache<string, ClientOfToken>;
  readonly #byId: LRUCache<number, ClientOfToken>;
  readonly #shared: SharedRead<ChangeStates>;
  #state: ChangeStates | null = null;

  /** `clock`: epoch milliseconds. */
  constructor(database: Queryable, clock: () => number) {
    this.#database = database;
    const limits = { max: maxClients, ttl: maxAgeMs, perf: { now: clock } };
    this.#byToken = new LRUCache(limits);
    this.#byId = new LRUCache(limits);
    this.#shared = new SharedRead(() => this.#readState());
  }

  /** The client with this token as it is at a moment after the call; null when there is none. */
  async ofToken(tokenHash: string): Promise<StoredClient | null> {
    await this.#shared.now();
    const kept = this.#byToken.get(tokenHash);
    if (kept !== undefined) return kept.client;
    const state = this.#state;
    const client = await clientOfToken(this.#database, tokenHash);
    // What was read while the registry changed may be the client before or after that change.
    if (client !== null && state === this.#state) this.#keep({ tokenHash, client });
    return client;
  }

  /** A client that was found by its token in this request. */
  async ofId(id: number): Promise<StoredClient | null> {
    return this.#byId.get(id)?.client ?? (await readClient(this.#database, id));
  }

  /** The state of a list at a moment after the client of this request was found. */
  async stateOf(list: string): Promise<ListChangeState> {
    const { epoch, revisions } = this.#state ?? (await this.#shared.now());
    return { epoch, revision: revisions[list] ?? 0 };
  }

  async #readState(): Promise<ChangeStates> {
    const { epoch, revisions } = await changeStates(this.#database);
    const before = this.#state;
    const state = { epoch, revisions };
    if (before === null || before.epoch !== state.epoch) this.#forgetAll();
    else if (before.revisions[registry] !== revisions[registry])
      await this.#forgetChanged(before.revisions[registry] ?? 0);
    else if (isSameState(before, state)) return before;
    this.#state = state;
    return state;
  }

  async #forgetChanged(since: number): Promise<void> {
    for (const id of await clientsChangedSince(this.#database, since)) {
      const kept = this.#byId.peek(id);
      if (kept !== undefined) this.#byToken.delete(kept.tokenHash);
      this.#byId.delete(id);
    }
  }

  #forgetAll(): void {
    this.#byToken.clear();
    this.#byId.clear();
  }

  #keep(kept: ClientOfToken): void {
    this.#byToken.set(kept.tokenHash, kept);
    this.#byId.set(kept.client.id, kept);
  }
}

function isSameState(one: ChangeStates, other: ChangeStates): boolean {
  const lists = Object.keys(other.revisions);
  return (
    lists.length === Object.keys(one.revisions).length &&
    lists.every((list) => one.revisions[list] === other.revisions[list])
  );
}
