/**
 * Positions of clients that were told that nothing is new, written together: a client that polls changes nothing but the time. What is
 * not yet written when the process is killed is repeated by the client's next call.
 */
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type NotedPosition, notePosition } from './client-position-store.ts';

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
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, this.#interval).unref();
  }

  /** Where a client begins again, it has what it has now: what waits to be written of it is older. */
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
      await writePositions(this.#database, [...positions.values()]);
    } catch (error) {
      this.#onFailure(error);
      for (const position of positions.values()) this.noteNothingNew(position);
    }
  }
}

const keyOf = ({ id, list }: NotedPosition) => `${id} ${list}`;

/** A client that was removed meanwhile has no position. */
async function writePositions(
  database: Queryable,
  positions: readonly NotedPosition[],
): Promise<void> {
  await database.query(
    `insert into client_position as kept (client_id, list, revision, fetched_time)
     select noted.* from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as noted (client_id, list, revision, fetched_time)
       join licensed_client on licensed_client.id = noted.client_id
     on conflict (client_id, list) do update set revision = greatest(kept.revision, excluded.revision),
       fetched_time = greatest(kept.fetched_time, excluded.fetched_time)`,
    [
      arrayText(positions.map(({ id }) => id)),
      arrayText(positions.map(({ list }) => list)),
      arrayText(positions.map(({ revision }) => revision)),
      arrayText(positions.map(({ now }) => now)),
    ],
  );
}
