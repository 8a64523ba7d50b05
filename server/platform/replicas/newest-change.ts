/**
 * How far a server must have followed the primary to be asked about the catalogue: to the newest change of its lists. Other writes,
 * such as the times of sessions and clients, ask nothing of the replicas.
 */
import type { Queryable } from '../database/database.ts';
import { SharedRead } from '../database/shared-read.ts';
import { type CatalogueChange, newestChange } from './replica-store.ts';
import type { WalPosition } from './wal-position.ts';

/** Changes that are remembered, to tell how late a replica is. */
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
  #readings = 0;

  /** `now`: milliseconds that never go back. */
  constructor(primary: Queryable, now: () => number) {
    this.#now = now;
    this.#shared = new SharedRead(() => this.#read(primary));
  }

  /**
   * A place in the log: who has followed up to it has every change that was committed to the catalogue before this call. All who ask at
   * the same time share one small query. Rejects with a DatabaseError.
   */
  position(): Promise<WalPosition> {
    return this.#shared.now();
  }

  /** As far as it is known; null: nobody has asked yet. */
  get known(): WalPosition | null {
    return this.#last?.position ?? null;
  }

  /** How often the primary was asked. */
  get readings(): number {
    return this.#readings;
  }

  /** For how long a server that has followed to this place lacks something. Milliseconds. */
  lateness(position: WalPosition): number {
    const missing = this.#changes.find((change) => change.position > position);
    return missing === undefined ? 0 : this.#now() - missing.seenAt;
  }

  async #read(primary: Queryable): Promise<WalPosition> {
    this.#readings += 1;
    const change = await newestChange(primary);
    const last = this.#last;
    // The place at which this state was first seen: what was written since is no change of the catalogue.
    if (last?.epoch === change.epoch && last.revisions === change.revisions) return last.position;
    this.#last = change;
    this.#changes.push({ position: change.position, seenAt: this.#now() });
    if (this.#changes.length > maxChanges) this.#changes.shift();
    return change.position;
  }
}
