/**
 * The servers that are asked about the catalogue: for each statement a replica that has every change that was committed before it, else
 * the primary. What is read is therefore never older than what anybody has written or seen, in this process or another: see
 * docs/decisions/057.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type {
  Database,
  ListSource,
  Queryable,
  QueryLimits,
  QueryResult,
} from '../database/database.ts';
import type { NewestChange } from './newest-change.ts';
import type { ReadReplica } from './read-replica.ts';
import { listsOfPrimary } from './replica-store.ts';

/** How one replica stands. */
export interface ReplicaFigures {
  readonly name: string;
  /** `behind`: it answers, and has not followed to the newest change of the catalogue yet. */
  readonly state: 'asked' | 'behind' | 'left_out';
  /** Why it is left out. */
  readonly fault: string | null;
  /** Statements that it has answered. */
  readonly answered: number;
  /** For how long it has lacked a change of the catalogue; null while it is left out. */
  readonly lateMs: number | null;
  /** Bytes of the log up to the newest change of the catalogue; null while it is left out. */
  readonly behindBytes: number | null;
}

export interface ReadFigures {
  readonly replicas: readonly ReplicaFigures[];
  /** Statements about the catalogue that the primary has answered: no replica was new enough, or it failed. */
  readonly answeredByPrimary: number;
  /** Of these, statements that a replica failed to answer first. */
  readonly repeated: number;
  /** How often the primary was asked for the newest change. */
  readonly readings: number;
}

export class CatalogueServers implements ListSource {
  readonly #primary: Database;
  readonly #replicas: readonly ReadReplica[];
  readonly #newest: NewestChange;
  readonly #reader: Queryable = { query: (...asked) => this.#read(...asked) };
  #answeredByPrimary = 0;
  #repeated = 0;
  #turn = 0;

  constructor(primary: Database, replicas: readonly ReadReplica[], newest: NewestChange) {
    this.#primary = primary;
    this.#replicas = replicas;
    this.#newest = newest;
  }

  query(text: string, values?: readonly unknown[], limits?: QueryLimits): Promise<QueryResult> {
    return this.#primary.query(text, values, limits);
  }

  readerOf(lists: readonly ListDefinition[]): Queryable {
    return lists.some(({ key }) => listsOfPrimary.has(key)) ? this.#primary : this.#reader;
  }

  figures(): ReadFigures {
    return {
      replicas: this.#replicas.map((replica) => this.#figuresOf(replica)),
      answeredByPrimary: this.#answeredByPrimary,
      repeated: this.#repeated,
      readings: this.#newest.readings,
    };
  }

  /** Looks at all replicas. Never rejects. */
  async look(): Promise<void> {
    await Promise.all([
      // So that how late they are is known also while nobody asks.
      this.#newest.position().catch(() => undefined),
      ...this.#replicas.map((replica) => replica.look()),
    ]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  /** A statement that a replica does not answer, for whatever reason, is repeated on the primary: what that says is the answer. */
  async #read(
    text: string,
    values?: readonly unknown[],
    limits: QueryLimits = {},
  ): Promise<QueryResult> {
    const replica = await this.#choose();
    if (replica !== null) {
      try {
        return await replica.query(text, values, limits);
      } catch (error) {
        if (limits.signal?.aborted === true) throw error;
        this.#repeated += 1;
      }
    }
    this.#answeredByPrimary += 1;
    return this.#primary.query(text, values, limits);
  }

  /** The least busy one that is new enough, with room; of equally busy ones, each in its turn. */
  async #choose(): Promise<ReadReplica | null> {
    if (this.#replicas.every(({ fault }) => fault !== null)) return null;
    const newest = await this.#newest.position().catch(() => null);
    // The primary says itself what is wrong with it.
    if (newest === null) return null;
    this.#turn += 1;
    const { length } = this.#replicas;
    let chosen: ReadReplica | null = null;
    for (let place = 0; place < length; place += 1) {
      const replica = this.#replicas[(this.#turn + place) % length];
      if (replica === undefined) continue;
      if (!replica.has(newest)) {
        if (replica.fault === null) void replica.look(true);
      } else if (replica.hasRoom && (chosen === null || replica.running < chosen.running))
        chosen = replica;
    }
    return chosen;
  }

  #figuresOf(replica: ReadReplica): ReplicaFigures {
    const { name, fault, answered, position } = replica;
    const { known } = this.#newest;
    const missing = position === null || known === null || known < position ? 0n : known - position;
    return {
      name,
      state: fault !== null ? 'left_out' : missing > 0n ? 'behind' : 'asked',
      fault,
      answered,
      lateMs: position === null ? null : this.#newest.lateness(position),
      behindBytes: position === null ? null : Number(missing),
    };
  }
}
