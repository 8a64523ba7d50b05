/**
 * Positions of clients that were told that nothing is new, written together: a client that polls changes nothing but the time. What is
 * not yet written when the process is killed is repeated by the client's next call.
 */
import type { Queryable } from '../../platform/database/database.ts';
import { type NotedPosition, notePosition, raisePositions } from './client-position-store.ts';

export interface PositionBufferOptions {
  /** Milliseconds between two writings. */
  readonly interval?: number;
  /** Told of a writing that failed; it is tried again with the next one. */
  readonly onFailure: (error: unknown) => void;
}

export class PositionBuffer {
  readonly #database: Queryable;
  readonly #interval: number;
  readonly #onFailure: (error: unknown) => void;
  /** By client and list: as many as there are, however often they ask. */
  #waiting = new Map<string, NotedPosition>();
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Queryable, { interval = 1_000, onFailure }: PositionBufferOptions) {
    this.#database = database;
    this.#interval = interval;
    this.#onFailure = onFailure;
  }

  /** The client has been told that nothing is new: it has what it had, however it asked. Written soon. */
  noteNothingNew(position: NotedPosition): void {
    const key = keyOf(position);
    const kept = this.#waiting.get(key);
    const revision = Math.max(kept?.revision ?? position.revision, position.revision);
    this.#waiting.set(key, { ...position, revision });
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, this.#interval).unref();
  }

  /** Where a client begins again, it has what it has now: what waits to be written is older. */
  async note(position: NotedPosition): Promise<void> {
    this.#waiting.delete(keyOf(position));
    await this.#writing;
    await notePosition(this.#database, position);
  }

  /** Writes what waits. Never rejects. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const positions = this.#waiting;
    if (positions.size === 0) return;
    this.#waiting = new Map();
    try {
      await raisePositions(this.#database, [...positions.values()]);
    } catch (error) {
      this.#onFailure(error);
      for (const position of positions.values()) this.noteNothingNew(position);
    }
  }
}

const keyOf = ({ id, list }: NotedPosition) => `${id} ${list}`;
