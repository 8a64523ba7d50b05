/**
 * Buffers positions of clients whose poll found nothing new, since only the time changes, and
 * writes them together. When the process is killed, the client's next call repeats what was not
 * written.
 */
import type { Queryable } from '../../platform/database/database.ts';
import { type NotedPosition, notePosition, raisePositions } from './client-position-store.ts';

export interface PositionBufferOptions {
  /** Milliseconds between two writes. */
  readonly interval?: number;
  /** Called when a write fails. The next write repeats it. */
  readonly onFailure: (error: unknown) => void;
}

export class PositionBuffer {
  readonly #database: Queryable;
  readonly #interval: number;
  readonly #onFailure: (error: unknown) => void;
  /** Pending positions by client and list, which bounds their number. */
  #waiting = new Map<string, NotedPosition>();
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Queryable, { interval = 1_000, onFailure }: PositionBufferOptions) {
    this.#database = database;
    this.#interval = interval;
    this.#onFailure = onFailure;
  }

  /** Records that a poll found nothing new. The revision never decreases, even when the client used an older cursor. */
  noteNothingNew(position: NotedPosition): void {
    const key = positionKey(position);
    const pending = this.#waiting.get(key);
    const revision = Math.max(pending?.revision ?? position.revision, position.revision);
    this.#waiting.set(key, { ...position, revision });
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, this.#interval).unref();
  }

  /** Writes a position immediately and drops the pending one, which is older. */
  async note(position: NotedPosition): Promise<void> {
    await this.#writing;
    this.#waiting.delete(positionKey(position));
    await notePosition(this.#database, position);
  }

  /** Writes the pending positions. Never rejects. */
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
      for (const [key, position] of positions)
        if (!this.#waiting.has(key)) this.noteNothingNew(position);
    }
  }
}

const positionKey = ({ id, list }: NotedPosition) => `${id} ${list}`;
