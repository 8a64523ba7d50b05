/**
 * Licensed clients and the revisions of their lists in memory, so that a client that asks whether anything is new costs no query of its
 * own: one small query says for all who ask at the same time what has changed, in this process or in another. See docs/decisions/054.
 */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import type { ListChangeState } from './change-store.ts';
import { clientOfToken, readClient, type StoredClient } from './licensed-client-store.ts';

const registry = listOfKey('floto_user').key;

const maxClients = 20_000;
/** What is written past the service, with SQL, is seen after so long. */
const maxAgeMs = 60_000;

const StateRow = z.object({
  epoch: z.string(),
  revisions: z.record(z.string(), z.number()).nullable(),
});

interface State {
  readonly epoch: string;
  readonly revisions: Readonly<Record<string, number>>;
}

interface KeptClient {
  readonly tokenHash: string;
  readonly client: StoredClient;
}

export class ClientMemory {
  readonly #database: Queryable;
  readonly #byToken: LRUCache<string, KeptClient>;
  readonly #byId: LRUCache<number, KeptClient>;
  readonly #shared: SharedRead<State>;
  #state: State | null = null;

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

  async #readState(): Promise<State> {
    const [row] = await queryRows(
      this.#database,
      StateRow,
      'select epoch, (select json_object_agg(list, revision) from list_revision) as revisions from change_epoch',
    );
    if (row === undefined) throw new Error('The database has no change epoch');
    const before = this.#state;
    const revisions = row.revisions ?? {};
    const state = { epoch: row.epoch, revisions };
    if (before === null || before.epoch !== state.epoch) this.#forgetAll();
    else if (before.revisions[registry] !== revisions[registry])
      await this.#forgetChanged(before.revisions[registry] ?? 0);
    else if (isSameState(before, state)) return before;
    this.#state = state;
    return state;
  }

  async #forgetChanged(since: number): Promise<void> {
    const changed = await queryRows(
      this.#database,
      IdRow,
      'select id from licensed_client where revision > $1',
      [since],
    );
    for (const { id } of changed) {
      const kept = this.#byId.peek(id);
      if (kept !== undefined) this.#byToken.delete(kept.tokenHash);
      this.#byId.delete(id);
    }
  }

  #forgetAll(): void {
    this.#byToken.clear();
    this.#byId.clear();
  }

  #keep(kept: KeptClient): void {
    this.#byToken.set(kept.tokenHash, kept);
    this.#byId.set(kept.client.id, kept);
  }
}

function isSameState(one: State, other: State): boolean {
  const lists = Object.keys(other.revisions);
  return (
    lists.length === Object.keys(one.revisions).length &&
    lists.every((list) => one.revisions[list] === other.revisions[list])
  );
}
