/** One read replica: its position in the log, and whether statements may use it. */
import type { Database, Queryable, QueryLimits, QueryResult } from '../database/database.ts';
import { DatabaseError } from '../database/database-error.ts';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import type { Log } from '../logging/logging.ts';
import type { Identity } from './replica-store.ts';
import { replicaState } from './replica-store.ts';
import type { WalPosition } from './wal-position.ts';

export interface ReplicaTimes {
  /** Time between two checks of a replica that answers. */
  readonly everyMs: number;
  /** Minimum time between two checks while a statement needs a newer position. */
  readonly leastMs: number;
  /** Maximum age of a check: the server may have been replaced meanwhile. */
  readonly believedMs: number;
  /** Shortest and longest time between two checks of a replica that does not answer. */
  readonly retryMs: { readonly first: number; readonly most: number };
}

export const usualTimes: ReplicaTimes = {
  everyMs: 500,
  leastMs: 20,
  believedMs: 3_000,
  retryMs: { first: 500, most: 15_000 },
};

export interface ReplicaParts {
  /** Host, port and database, never the password. */
  readonly name: string;
  /** Connections for statements of users. */
  readonly pool: Database;
  /** Maximum concurrent statements, so that none waits here while another server could answer it. */
  readonly maxRunning: number;
  /** A separate connection for checks, so that they never wait behind long statements. */
  readonly watch: Database;
  /** Reads the primary's identity, which the replica must share. `fresh` bypasses the cache. */
  readonly primary: (fresh: boolean) => Promise<Identity>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly times: ReplicaTimes;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

export class ReadReplica implements Queryable {
  readonly name: string;
  readonly #parts: ReplicaParts;
  /** Result of the last successful check; null while it is left out. */
  #seen: { readonly position: WalPosition; readonly at: number } | null = null;
  /** The reason why it is left out, as the predicate of a sentence; null while in use. */
  #fault: string | null = 'has not answered yet';
  #looking: Promise<void> | null = null;
  #lastLook = Number.NEGATIVE_INFINITY;
  /** Earliest time of the next check, after a failure. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #retryMs: number;
  #answered = 0;
  #closed = false;
  /** Functions that reject the running statements when the replica is left out. */
  readonly #running = new Set<(error: Error) => void>();

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.#retryMs = parts.times.retryMs.first;
  }

  /** Returns true if the replica is in use and has reached this position. */
  has(position: WalPosition): boolean {
    return (
      this.#seen !== null &&
      this.#seen.position >= position &&
      this.#parts.now() - this.#seen.at <= this.#parts.times.believedMs
    );
  }

  /** The reason why it is left out; null while in use. */
  get fault(): string | null {
    return this.#fault;
  }

  /** The last known position; null while it is left out. */
  get position(): WalPosition | null {
    return this.#seen?.position ?? null;
  }

  get hasRoom(): boolean {
    return this.#running.size < this.#parts.maxRunning;
  }

  /** Number of running statements. */
  get running(): number {
    return this.#running.size;
  }

  /** Number of answered statements. */
  get answered(): number {
    return this.#answered;
  }

  /** @throws DatabaseError also when the replica is left out meanwhile. The statement may be repeated elsewhere. */
  async query(
    text: string,
    values: readonly unknown[] = [],
    limits: QueryLimits = {},
  ): Promise<QueryResult> {
    const ended = Promise.withResolvers<QueryResult>();
    this.#running.add(ended.reject);
    this.#parts.pool.query(text, values, limits).then(ended.resolve, ended.reject);
    try {
      const result = await ended.promise;
      this.#answered += 1;
      return result;
    } catch (error) {
      // A timeout of one statement is no fault of the replica; the next check shows whether it still answers.
      if (this.#fault === null && isDatabaseUnavailable(error) && error.code !== 'timeout')
        this.leaveOut(reasonOf(error));
      throw error;
    } finally {
      this.#running.delete(ended.reject);
    }
  }

  /** Stops using it until the next successful check. Its position is forgotten, since it may return with an older one. */
  leaveOut(fault: string): void {
    if (this.#closed) return;
    const { name, log, now, times } = this.#parts;
    if (this.#fault !== fault)
      log.warn(
        { replica: name, reason: fault },
        `The read replica ${name} is not used: it ${fault}`,
      );
    if (this.#fault === null) this.#retryMs = times.retryMs.first;
    this.#seen = null;
    this.#fault = fault;
    this.#notBefore = now() + this.#retryMs;
    for (const end of this.#running) end(new DatabaseError('connection', `The replica ${fault}`));
  }

  /** Checks it, unless a check is running or it has just failed. `soon`: a statement needs a newer position. Never rejects. */
  look(soon = false): Promise<void> {
    const { now, times } = this.#parts;
    const isDue = now() >= this.#notBefore && (!soon || now() - this.#lastLook >= times.leastMs);
    if (this.#looking === null && isDue && !this.#closed)
      this.#looking = this.#look().finally(() => (this.#looking = null));
    return this.#looking ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#parts.pool.close(), this.#parts.watch.close()]);
  }

  async #look(): Promise<void> {
    const { watch, primary, now, times, log, name } = this.#parts;
    const at = now();
    this.#lastLook = at;
    try {
      const state = await replicaState(watch);
      const fault = faultOf(state, await primary(false)) && faultOf(state, await primary(true));
      if (fault !== null || state.position === null) return this.#failed(fault ?? notFollowing);
      this.#seen = { position: state.position, at };
      if (this.#fault !== null) log.info({ replica: name }, `The read replica ${name} is in use`);
      this.#fault = null;
      this.#retryMs = times.retryMs.first;
    } catch (error) {
      this.#failed(reasonOf(error));
    }
  }

  /** Leaves it out, and doubles the time to the next check. */
  #failed(fault: string): void {
    this.leaveOut(fault);
    this.#retryMs = Math.min(this.#parts.times.retryMs.most, this.#retryMs * 2);
  }
}

const notFollowing =
  'follows no primary. DATABASE_READ_URLS must name servers in recovery (standby.signal), not the primary itself';

function faultOf(
  state: Identity & { readonly follows: boolean },
  primary: Identity,
): string | null {
  if (state.system !== primary.system)
    return 'does not replicate the server in DATABASE_URL: its system identifier differs';
  if (state.epoch !== primary.epoch) return 'names another database than DATABASE_URL';
  if (!state.follows) return notFollowing;
  if (state.migration !== primary.migration)
    return `has the tables of ${state.migration}, the primary those of ${primary.migration}`;
  return null;
}

/** Describes an error as the predicate of a sentence about the replica. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `failed: ${String(error)}`;
  if (error instanceof DatabaseError && error.code === '42P01')
    return 'has no tables of this service: it is another database, or has not caught up yet';
  return `failed: ${error.message.replace(/\.$/, '')}`;
}
