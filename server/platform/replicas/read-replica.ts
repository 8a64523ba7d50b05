/** One read replica: its position in the log, and whether statements may use it. */
import type { Database, Queryable, QueryLimits, QueryResult } from '../database/database.ts';
import { DatabaseError } from '../database/database-error.ts';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import type { Log } from '../logging/logging.ts';
import { type Identity, readReplicaState, type WalPosition } from './replica-store.ts';

export interface ReplicaTimes {
  /** Time between two checks of a replica that answers. */
  readonly intervalMs: number;
  /** Minimum time between two checks while a statement needs a newer position. */
  readonly minIntervalMs: number;
  /** Maximum age of a check: the server may have been replaced meanwhile. */
  readonly maxAgeMs: number;
  /** Shortest and longest time between two checks of a replica that does not answer. */
  readonly retryMs: { readonly first: number; readonly max: number };
}

export const defaultTimes: ReplicaTimes = {
  intervalMs: 500,
  minIntervalMs: 20,
  maxAgeMs: 3_000,
  retryMs: { first: 500, max: 15_000 },
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
  #lastSeen: { readonly position: WalPosition; readonly at: number } | null = null;
  /** The reason why it is left out, as the predicate of a sentence; null while in use. */
  #fault: string | null = 'has not answered yet';
  #checking: Promise<void> | null = null;
  #lastCheck = Number.NEGATIVE_INFINITY;
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
      this.#lastSeen !== null &&
      this.#lastSeen.position >= position &&
      this.#parts.now() - this.#lastSeen.at <= this.#parts.times.maxAgeMs
    );
  }

  /** The reason why it is left out; null while in use. */
  get fault(): string | null {
    return this.#fault;
  }

  /** The last known position; null while it is left out. */
  get position(): WalPosition | null {
    return this.#lastSeen?.position ?? null;
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
      // A timeout of one statement does not prove a fault; the next check shows whether the replica still answers.
      if (this.#fault === null && isDatabaseUnavailable(error) && error.code !== 'timeout')
        this.leaveOut(toReason(error));
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
    this.#lastSeen = null;
    this.#fault = fault;
    this.#notBefore = now() + this.#retryMs;
    for (const end of this.#running) end(new DatabaseError('connection', `The replica ${fault}`));
  }

  /** Checks it, unless a check is running or it has just failed. `soon`: a statement needs a newer position. Never rejects. */
  check(soon = false): Promise<void> {
    const { now, times } = this.#parts;
    const isDue =
      now() >= this.#notBefore && (!soon || now() - this.#lastCheck >= times.minIntervalMs);
    if (this.#checking === null && isDue && !this.#closed)
      this.#checking = this.#runCheck().finally(() => (this.#checking = null));
    return this.#checking ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#parts.pool.close(), this.#parts.watch.close()]);
  }

  async #runCheck(): Promise<void> {
    const { watch, primary, now, times, log, name } = this.#parts;
    const at = now();
    this.#lastCheck = at;
    try {
      const state = await readReplicaState(watch);
      const fault = findFault(state, await primary(false)) && findFault(state, await primary(true));
      if (fault !== null || state.position === null) return this.#fail(fault ?? notFollowing);
      this.#lastSeen = { position: state.position, at };
      if (this.#fault !== null) log.info({ replica: name }, `The read replica ${name} is in use`);
      this.#fault = null;
      this.#retryMs = times.retryMs.first;
    } catch (error) {
      this.#fail(toReason(error));
    }
  }

  /** Leaves it out, and doubles the time to the next check. */
  #fail(fault: string): void {
    this.leaveOut(fault);
    this.#retryMs = Math.min(this.#parts.times.retryMs.max, this.#retryMs * 2);
  }
}

const notFollowing =
  'follows no primary. DATABASE_READ_URLS must name servers in recovery (standby.signal), not the primary itself';

function findFault(
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
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return `failed: ${String(error)}`;
  if (error instanceof DatabaseError && error.code === '42P01')
    return 'has no tables of this service: it is another database, or has not caught up yet';
  return `failed: ${error.message.replace(/\.$/, '')}`;
}
