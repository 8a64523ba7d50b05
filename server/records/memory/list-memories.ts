/** The lists that are held in memory: read when they are first asked for, brought up to date before each answer, dropped when room is short. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { ListMemory } from './list-memory.ts';
import {
  dropDeleted,
  type ListStamp,
  readRisk,
  readTexts,
  readWhole,
  readWritten,
} from './list-memory-store.ts';
import { isSameStamp, ListStamps } from './list-stamps.ts';

/** The limit for all lists together. A list whose fields alone are larger stays in memory while it is searched. */
const defaultMaxBytes = 256 * 1024 * 1024;
/** The share of it that is filled after a start: the rest is for what people search. */
const filledShare = 0.8;
/** A list that was searched within this time, in milliseconds, does not make room: two lists would drive each other out. */
const minIdleMs = 600_000;
/** A list that is written to all the time is answered as of a moment ago. */
const maxTurns = 3;

/** Batches of texts after which it is looked whether there is room for more. */
const batchesToCheck = 20;

export interface TextToRead {
  readonly column: string;
  /** The order of its words is kept too, for phrases. */
  readonly inOrder: boolean;
}

export interface HeldList {
  readonly memory: ListMemory;
  readonly stamp: ListStamp;
}

export interface MemoryFigures {
  readonly list: ListDefinition;
  readonly bytes: number;
  /** Records that are not withdrawn. */
  readonly rows: number;
  /** False while the list is being read. */
  readonly isComplete: boolean;
  readonly texts: readonly string[];
}

interface Kept {
  readonly memory: ListMemory;
  /** What has been read; null until the list was read whole. */
  stamp: ListStamp | null;
  /** The last reading: the next one waits for it. */
  reading: Promise<unknown>;
  /** Brings the list up to date, once for all who wait. */
  readonly upToDate: SharedRead<ListStamp>;
  /** When it was last searched, by the clock of `performance.now`. */
  searchedAt: number;
  /** Columns of text that are being read, or that do not fit. */
  readonly begunTexts: Set<string>;
}

export class ListMemories {
  readonly stamps: ListStamps;
  readonly #database: ListSource;
  readonly #maxBytes: number;
  readonly #kept = new LRUCache<string, Kept>({ max: 100 });

  /** Notes for the log what was read or dropped. */
  readonly #decided: (words: string, facts: object) => void;

  constructor(
    database: ListSource,
    maxBytes = defaultMaxBytes,
    onDecision: (words: string, facts: object) => void = () => undefined,
  ) {
    this.#decided = onDecision;
    this.stamps = new ListStamps(database);
    this.#database = database;
    this.#maxBytes = maxBytes;
  }

  /**
   * The list as it stands now, or stood after `since` by `performance.now()`. Count before you await anything else: the memory changes
   * when others ask. Rejects with a DatabaseError; the list is then read whole again by who asks next.
   */
  async of(list: ListDefinition, since = performance.now()): Promise<HeldList> {
    const kept = this.#kept.get(list.key) ?? this.#begin(list);
    kept.searchedAt = performance.now();
    const read = this.stamps.readSince(list, since);
    const isCurrent = read !== null && kept.stamp !== null && isSameStamp(kept.stamp, read);
    const stamp = isCurrent ? read : await kept.upToDate.now();
    return { memory: kept.memory, stamp };
  }

  /** Whether the list and these columns of its texts have been read; they may be dropped while you wait for them. */
  holds(list: ListDefinition, columns: readonly string[]): boolean {
    const kept = this.#kept.peek(list.key);
    return (
      kept !== undefined &&
      kept.stamp !== null &&
      columns.every((column) => kept.memory.textsOf(column) !== undefined)
    );
  }

  /**
   * Reads the list and these columns of its texts, unless they are here or being read. A column for which there is no room is left out
   * until the list is read whole again. Rejects with a DatabaseError.
   */
  async readTexts(list: ListDefinition, columns: readonly TextToRead[]): Promise<void> {
    const kept = this.#kept.get(list.key) ?? this.#begin(list);
    await kept.upToDate.now();
    const { memory } = kept;
    if (this.#kept.peek(list.key) !== kept) return;
    for (const { column, inOrder } of columns) {
      if (kept.begunTexts.has(column) || memory.textsOf(column) !== undefined) continue;
      kept.begunTexts.add(column);
      memory.openTexts(column, inOrder);
      const since = performance.now();
      await this.#readColumn(kept, column);
      const isRead = memory.textsOf(column) !== undefined;
      const facts = { list: list.key, column, bytes: this.bytes, ms: msSince(since) };
      this.#decided(
        isRead ? 'a text was read into memory' : 'a text does not fit into memory',
        facts,
      );
    }
  }

  async #readColumn(kept: Kept, column: string): Promise<void> {
    const { memory } = kept;
    for (let above: number | null = 0, batch = 1; above !== null; batch += 1) {
      const from: number = above;
      above = await this.#inTurn(kept, () =>
        readTexts(readerOf(this.#database, memory.list), memory, column, from),
      );
      if (this.#kept.peek(memory.list.key) !== kept) return;
      if (batch % batchesToCheck !== 0 && above !== null) continue;
      this.#makeRoom(memory.list.key);
      if (this.bytes > this.#maxBytes) return memory.dropTexts(column);
    }
    memory.completeTexts(column);
    kept.begunTexts.delete(column);
  }

  /** Readings of one list follow one another. */
  async #inTurn<T>(kept: Kept, read: () => Promise<T>): Promise<T> {
    const reading = kept.reading.catch(() => undefined).then(read);
    kept.reading = reading;
    try {
      return await reading;
    } catch (error) {
      // A batch may have been written by half.
      const { key } = kept.memory.list;
      if (this.#kept.peek(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }

  /**
   * Reads lists one after another, then these columns of their texts, until the memory is nearly full: conditions on dates and choices
   * are answered before the first text is read. Rejects with a DatabaseError.
   */
  async readAhead(
    lists: readonly ListDefinition[],
    textsOf: (list: ListDefinition) => readonly TextToRead[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const columns of [() => [], textsOf])
      for (const list of lists) {
        if (signal.aborted || this.bytes >= this.#maxBytes * filledShare) return;
        await this.readTexts(list, columns(list));
      }
  }

  /** Bytes and text columns of each list in memory. */
  get figures(): readonly MemoryFigures[] {
    return [...this.#kept.values()].map(({ memory, stamp }) => ({
      list: memory.list,
      bytes: memory.bytes,
      rows: memory.listedCount,
      isComplete: stamp !== null,
      texts: memory.textColumns.filter((column) => memory.textsOf(column) !== undefined),
    }));
  }

  /** Bytes that the lists may take. */
  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Bytes of all lists that are held. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { memory }) => sum + memory.bytes, 0);
  }

  #begin(list: ListDefinition): Kept {
    const kept: Kept = {
      memory: new ListMemory(list),
      stamp: null,
      reading: Promise.resolve(),
      upToDate: new SharedRead(() => this.#inTurn(kept, () => this.#update(kept))),
      searchedAt: Number.NEGATIVE_INFINITY,
      begunTexts: new Set(),
    };
    this.#kept.set(list.key, kept);
    return kept;
  }

  async #update(kept: Kept): Promise<ListStamp> {
    const { memory } = kept;
    const reader = readerOf(this.#database, memory.list);
    const since = performance.now();
    for (let turn = 1; ; turn += 1) {
      // Of the database itself, which is as quick as asking how new a replica has to be.
      const now = await this.stamps.of(memory.list);
      const before = kept.stamp;
      if (before !== null && isSameStamp(before, now)) return now;
      if (before === null) await readWhole(reader, memory);
      else {
        if (before.revision !== now.revision) await readWritten(reader, memory, before.revision);
        if (before.risk !== now.risk) await readRisk(reader, memory, before.risk);
      }
      if (memory.listedCount > now.listed) await dropDeleted(reader, memory);
      kept.stamp = now;
      this.#decided(before === null ? 'a list was read into memory' : 'a list was read again', {
        list: memory.list.key,
        rows: memory.listedCount,
        revision: now.revision,
        ms: msSince(since),
      });
      this.#makeRoom(memory.list.key);
      if (turn === maxTurns) return now;
    }
  }

  #makeRoom(asked: string): void {
    for (const key of Array.from(this.#kept.rkeys())) {
      if (this.bytes <= this.#maxBytes) return;
      const { searchedAt = 0 } = this.#kept.peek(key) ?? {};
      if (key === asked || performance.now() - searchedAt <= minIdleMs) continue;
      this.#kept.delete(key);
      this.#decided('a list made room in memory', { list: key });
    }
  }
}
