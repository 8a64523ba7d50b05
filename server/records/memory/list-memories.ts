/** The lists that are held in memory: read when they are first asked for, brought up to date before each answer, dropped when room is short. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/database/database.ts';
import { ListMemory } from './list-memory.ts';
import {
  dropDeleted,
  type ListStamp,
  readRisk,
  readStamp,
  readWhole,
  readWritten,
} from './list-memory-store.ts';

/** Of all lists together. A list that is larger alone is still held while it is the one that is asked for. */
const defaultMaxBytes = 256 * 1024 * 1024;
/** A list that is written to all the time is answered as of a moment ago. */
const maxTurns = 3;

export interface HeldList {
  readonly memory: ListMemory;
  readonly stamp: ListStamp;
}

interface Kept {
  readonly memory: ListMemory;
  /** What has been read; null until the list was read whole. */
  stamp: ListStamp | null;
  /** The last reading: the next one waits for it. */
  reading: Promise<unknown>;
}

export class ListMemories {
  readonly #database: Queryable;
  readonly #maxBytes: number;
  readonly #kept = new LRUCache<string, Kept>({ max: 100 });

  constructor(database: Queryable, maxBytes = defaultMaxBytes) {
    this.#database = database;
    this.#maxBytes = maxBytes;
  }

  /**
   * The list as it stands now. Count before you await anything else: the memory changes when others ask.
   * Rejects with a DatabaseError; the list is then read whole again by who asks next.
   */
  async of(list: ListDefinition): Promise<HeldList> {
    const kept = this.#kept.get(list.key) ?? this.#begin(list);
    const reading = kept.reading.catch(() => undefined).then(() => this.#update(kept));
    kept.reading = reading;
    try {
      const stamp = await reading;
      return { memory: kept.memory, stamp };
    } catch (error) {
      // A batch may have been written by half.
      if (this.#kept.peek(list.key) === kept) this.#kept.delete(list.key);
      throw error;
    }
  }

  /** Bytes of all lists that are held. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { memory }) => sum + memory.bytes, 0);
  }

  #begin(list: ListDefinition): Kept {
    const kept: Kept = { memory: new ListMemory(list), stamp: null, reading: Promise.resolve() };
    this.#kept.set(list.key, kept);
    return kept;
  }

  async #update(kept: Kept): Promise<ListStamp> {
    const { memory } = kept;
    for (let turn = 1; ; turn += 1) {
      const now = await readStamp(this.#database, memory.list);
      const before = kept.stamp;
      if (before !== null && isSame(before, now)) return now;
      if (before === null) await readWhole(this.#database, memory);
      else {
        if (before.revision !== now.revision)
          await readWritten(this.#database, memory, before.revision);
        if (before.risk !== now.risk) await readRisk(this.#database, memory, before.risk);
      }
      if (memory.listedCount > now.listed) await dropDeleted(this.#database, memory);
      kept.stamp = now;
      this.#makeRoom(memory.list.key);
      if (turn === maxTurns) return now;
    }
  }

  #makeRoom(asked: string): void {
    for (const key of Array.from(this.#kept.rkeys())) {
      if (this.bytes <= this.#maxBytes) return;
      if (key !== asked) this.#kept.delete(key);
    }
  }
}

const isSame = (one: ListStamp, other: ListStamp) =>
  one.revision === other.revision && one.risk === other.risk;
