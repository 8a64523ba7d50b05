/**
 * Finds the position in the log that a replica must have reached for a statement about the catalogue: the newest change of its lists.
 * Replicas need not have other writes, such as the times of sessions and clients.
 */
import type { Queryable } from '../database/database.ts';
import { SharedRead } from '../database/shared-read.ts';
import { type CatalogueChange, readNewestChange, type WalPosition } from './replica-store.ts';

/** Number of changes remembered to compute the lag of replicas. */
const maxChanges = 10_000;

interface SeenChange {
  readonly position: WalPosition;
  readonly seenAt: number;
}

export class NewestChange {
  readonly #shared: SharedRead<WalPosition>;
  readonly #now: () => number;
  readonly #changes: SeenChange[] = [];
  #last: CatalogueChange | null = null;
  #queryCount = 0;

  /** @param now - Monotonic clock in milliseconds. */
  constructor(primary: Queryable, now: () => number) {
    this.#now = now;
    this.#shared = new SharedRead(() => this.#read(primary));
  }

  /**
   * Returns a position in the log. A server that has reached it has every change committed to the catalogue before this call.
   * Concurrent callers share one small query.
   * @throws DatabaseError
   */
  position(): Promise<WalPosition> {
    return this.#shared.now();
  }

  /** The newest known position; null before the first query. */
  get known(): WalPosition | null {
    return this.#last?.position ?? null;
  }

  /** Number of queries to the primary. */
  get queryCount(): number {
    return this.#queryCount;
  }

  /** Milliseconds for which a server at this position has lacked a change. */
  latenessMs(position: WalPosition): number {
    const missing = this.#changes.find((change) => change.position > position);
    return missing === undefined ? 0 : this.#now() - missing.seenAt;
  }

  async #read(primary: Queryable): Promise<WalPosition> {
    this.#queryCount += 1;
    const change = await readNewestChange(primary);
    const last = this.#last;
    // The position at which this state was first seen: later writes did not change the catalogue.

    if (last?.epoch === change.epoch && last.revisions === change.revisions) return last.position;
    this.#last = change;
    this.#changes.push({ position: change.position, seenAt: this.#now() });
    if (this.#changes.length > maxChanges) this.#changes.shift();
    return change.position;
  }
}
