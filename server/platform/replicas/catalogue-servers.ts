/**
 * Chooses the server for each statement about the catalogue: a replica with every change committed before the statement, else the
 * primary. Replies are therefore never older than anything that any process has written or seen: see docs/decisions/057.
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
import { primaryLists } from './replica-store.ts';

/** The state of one replica. */
export interface ReplicaFigures {
  readonly name: string;
  /** `behind`: it answers, but lacks the newest change of the catalogue. */
  readonly state: 'in_use' | 'behind' | 'left_out';
  /** The reason why it is left out. */
  readonly fault: string | null;
  /** Number of answered statements. */
  readonly answered: number;
  /** Milliseconds since it has lacked a change of the catalogue; null while it is left out. */
  readonly lateMs: number | null;
  /** Bytes of the log that it lacks up to the newest change of the catalogue; null while it is left out. */
  readonly behindBytes: number | null;
}

export interface ReadFigures {
  readonly replicas: readonly ReplicaFigures[];
  /** Statements about the catalogue on the primary: no replica was recent enough, or it failed. */
  readonly answeredByPrimary: number;
  /** Statements among these that a replica failed to answer first. */
  readonly repeated: number;
  /** Queries to the primary for the newest change. */
  readonly readings: number;
}

export class CatalogueServers implements ListSource {
  readonly #primary: Database;
  readonly #replicas: readonly ReadReplica[];
  readonly #newest: NewestChange;
  readonly #reader: Queryable = { query: (...parameters) => this.#read(...parameters) };
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

  selectReader(lists: readonly ListDefinition[]): Queryable {
    return lists.some(({ key }) => primaryLists.has(key)) ? this.#primary : this.#reader;
  }

  figures(): ReadFigures {
    return {
      replicas: this.#replicas.map((replica) => this.#describe(replica)),
      answeredByPrimary: this.#answeredByPrimary,
      repeated: this.#repeated,
      readings: this.#newest.queryCount,
    };
  }

  /** Updates the state of all replicas. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all([
      // Updates the lag of the replicas while there are no searches.
      this.#newest.position().catch(() => undefined),
      ...this.#replicas.map((replica) => replica.check()),
    ]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  /** Repeats a statement on the primary when a replica fails it, for any reason. */
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

  /** Returns the least busy replica that is recent enough and has a free connection; equally busy ones take turns. */
  async #choose(): Promise<ReadReplica | null> {
    if (this.#replicas.every(({ fault }) => fault !== null)) return null;
    const newest = await this.#newest.position().catch(() => null);
    // The statement itself will report the fault of the primary.
    if (newest === null) return null;
    this.#turn += 1;
    const { length } = this.#replicas;
    let chosen: ReadReplica | null = null;
    for (let offset = 0; offset < length; offset += 1) {
      const replica = this.#replicas[(this.#turn + offset) % length];
      if (replica === undefined) continue;
      if (!replica.has(newest)) {
        if (replica.fault === null) void replica.check(true);
      } else if (replica.hasRoom && (chosen === null || replica.running < chosen.running))
        chosen = replica;
    }
    return chosen;
  }

  #describe(replica: ReadReplica): ReplicaFigures {
    const { name, fault, answered, position } = replica;
    const { known } = this.#newest;
    const missing = position === null || known === null || known < position ? 0n : known - position;
    return {
      name,
      state: fault !== null ? 'left_out' : missing > 0n ? 'behind' : 'in_use',
      fault,
      answered,
      lateMs: position === null ? null : this.#newest.latenessMs(position),
      behindBytes: position === null ? null : Number(missing),
    };
  }
}
