/** One read replica: how far it has followed its primary, and whether it may be asked. */
import type { Database, Queryable, QueryLimits, QueryResult } from '../database/database.ts';
import { DatabaseError } from '../database/database-error.ts';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import type { Log } from '../logging/logging.ts';
import type { Identity } from './replica-store.ts';
import { replicaState } from './replica-store.ts';
import type { WalPosition } from './wal-position.ts';

export interface ReplicaTimes {
  /** Between two looks at a replica that answers. */
  readonly everyMs: number;
  /** Between two looks when someone waits for it to come further. */
  readonly leastMs: number;
  /** What was seen longer ago is not believed: the server may have been replaced by another. */
  readonly believedMs: number;
  /** Between two looks at a replica that does not answer: the first time, and at most. */
  readonly retryMs: { readonly first: number; readonly most: number };
}

export const usualTimes: ReplicaTimes = {
  everyMs: 500,
  leastMs: 20,
  believedMs: 3_000,
  retryMs: { first: 500, most: 15_000 },
};

export interface ReplicaParts {
  /** Host, port and database; never the password. */
  readonly name: string;
  /** For statements of people. */
  readonly pool: Database;
  /** Statements at once: none waits here while another server could answer it. */
  readonly maxRunning: number;
  /** One connection of its own for looking at it, so that a look never waits behind a long statement. */
  readonly watch: Database;
  /** What it must have in common with the primary; `fresh`: as it is now. */
  readonly primary: (fresh: boolean) => Promise<Identity>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly times: ReplicaTimes;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

export class ReadReplica implements Queryable {
  readonly name: string;
  readonly #parts: ReplicaParts;
  /** Null: it may not be asked. */
  #seen: { readonly position: WalPosition; readonly at: number } | null = null;
  /** Why it is left out, as a part of a sentence; null while it is not. */
  #fault: string | null = 'has not answered yet';
  #looking: Promise<void> | null = null;
  #lastLook = Number.NEGATIVE_INFINITY;
  /** After a failure. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #retryMs: number;
  #answered = 0;
  #closed = false;
  /** Of statements that run: told when the replica is left out. */
  readonly #running = new Set<(error: Error) => void>();

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.#retryMs = parts.times.retryMs.first;
  }

  /** Whether it may be asked, and has followed the primary up to this place. */
  has(position: WalPosition): boolean {
    return (
      this.#seen !== null &&
      this.#seen.position >= position &&
      this.#parts.now() - this.#seen.at <= this.#parts.times.believedMs
    );
  }

  /** Null while it is not left out. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Null while it is left out. */
  get position(): WalPosition | null {
    return this.#seen?.position ?? null;
  }

  get hasRoom(): boolean {
    return this.#running.size < this.#parts.maxRunning;
  }

  /** Statements that run now. */
  get running(): number {
    return this.#running.size;
  }

  /** Statements that it has answered. */
  get answered(): number {
    return this.#answered;
  }

  /** Rejects with a DatabaseError, soon after the replica is left out too; the statement may be repeated elsewhere. */
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
      // A statement that took too long says nothing of the others; whether the server still answers is seen by looking at it.
      if (this.#fault === null && isDatabaseUnavailable(error) && error.code !== 'timeout')
        this.leaveOut(reasonOf(error));
      throw error;
    } finally {
      this.#running.delete(ended.reject);
    }
  }

  /** Not asked again before the next look that succeeds. What it had before is forgotten: it may come back with less. */
  leaveOut(fault: string): void {
    if (this.#closed) return;
    const { name, log, now, times } = this.#parts;
    if (this.#fault !== fault)
      log.warn(
        { replica: name, reason: fault },
        `The read replica ${name} is left out: it ${fault}`,
      );
    if (this.#fault === null) this.#retryMs = times.retryMs.first;
    this.#seen = null;
    this.#fault = fault;
    this.#notBefore = now() + this.#retryMs;
    for (const end of this.#running) end(new DatabaseError('connection', `The replica ${fault}`));
  }

  /** Looks at it, unless that is going on or it has failed a moment ago; `soon`: someone waits for it to come further. Never rejects. */
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
      if (this.#fault !== null) log.info({ replica: name }, `The read replica ${name} is asked`);
      this.#fault = null;
      this.#retryMs = times.retryMs.first;
    } catch (error) {
      this.#failed(reasonOf(error));
    }
  }

  /** Each failure doubles the time to the next look. */
  #failed(fault: string): void {
    this.leaveOut(fault);
    this.#retryMs = Math.min(this.#parts.times.retryMs.most, this.#retryMs * 2);
  }
}

const notFollowing =
  'follows no primary. Name servers in recovery (standby.signal) in DATABASE_READ_URLS, not the primary itself';

function faultOf(
  state: Identity & { readonly follows: boolean },
  primary: Identity,
): string | null {
  if (state.system !== primary.system)
    return 'is no replica of the server in DATABASE_URL: its system identifier is another';
  if (state.epoch !== primary.epoch) return 'names another database than DATABASE_URL';
  if (!state.follows) return notFollowing;
  if (state.migration !== primary.migration)
    return `has the tables of ${state.migration}, the primary those of ${primary.migration}`;
  return null;
}

/** As the rest of a sentence that begins with the replica. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `failed: ${String(error)}`;
  if (error instanceof DatabaseError && error.code === '42P01')
    return 'has no tables of this service: its database is another one, or has not followed yet';
  return `failed: ${error.message.replace(/\.$/, '')}`;
}
