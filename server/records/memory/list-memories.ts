/** The lists in memory. A list is loaded with its first search, refreshed before each search, and evicted when memory is short. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { LRUCache } from 'lru-cache';
import { type ListSource, selectReader } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { ListMemory } from './list-memory.ts';
import {
  type ListStamp,
  readAllRows,
  readRiskChanges,
  readRowsSince,
  readTexts,
  withdrawDeleted,
} from './list-memory-store.ts';
import { isLater, isSameStamp, ListStamps } from './revision-cache.ts';

const defaultMaxBytes = 256 * 1024 * 1024;
/** Share of the limit that is filled after a start. The rest is for the texts that people search. */
const preloadShare = 0.8;
/** A list that was searched within this time is not evicted, because two lists could otherwise evict each other repeatedly. */
const minIdleMs = 600_000;
/** Maximum of refreshes before a search. A list that is written continuously is then searched in a slightly older state. */
const maxRefreshes = 3;

/** Batches of texts between two checks of the memory limit. */
const batchesPerCheck = 20;

export interface TextToRead {
  readonly column: string;
  /** Stores the order of the words, for phrases. */
  readonly inOrder: boolean;
}

export interface CurrentList {
  readonly memory: ListMemory;
  readonly stamp: ListStamp;
}

export interface MemoryFigures {
  readonly list: ListDefinition;
  readonly bytes: number;
  /** Count of records that are not withdrawn. */
  readonly rows: number;
  /** False while the list is loading. */
  readonly isComplete: boolean;
  readonly texts: readonly string[];
}

interface Entry {
  readonly memory: ListMemory;
  /** The version that has been loaded; null until the first load is complete. */
  stamp: ListStamp | null;
  /** The last read of the list. The next one waits for it. */
  reading: Promise<unknown>;
  /** Refreshes the list, once for all concurrent callers. */
  readonly refresh: SharedRead<ListStamp>;
  /** Time of the last search, by `performance.now()`. */
  searchedAt: number;
  /** Text columns that are loading, or that do not fit into memory. */
  readonly begunTexts: Set<string>;
}

export interface ListMemoriesOptions {
  /** Limit of all lists together. A list with larger fields stays in memory while it is searched. */
  readonly maxBytes?: number;
  /** Rows of one statement. */
  readonly rowsPerBatch?: number;
  /** Reports loads and evictions to the log. */
  readonly onDecision?: (words: string, facts: object) => void;
}

export class ListMemories {
  readonly stamps: ListStamps;
  readonly #database: ListSource;
  readonly #maxBytes: number;
  readonly #entries = new LRUCache<string, Entry>({ max: 100 });

  readonly #rowsPerBatch: number;
  readonly #onDecision: (words: string, facts: object) => void;

  constructor(
    database: ListSource,
    {
      maxBytes = defaultMaxBytes,
      rowsPerBatch = 2_000,
      onDecision = () => undefined,
    }: ListMemoriesOptions = {},
  ) {
    this.#rowsPerBatch = rowsPerBatch;
    this.#onDecision = onDecision;
    this.stamps = new ListStamps(database);
    this.#database = database;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the list in a state that was current after `since`, by `performance.now()`. Evaluate it before the next `await`, because
   * other callers refresh the same memory.
   *
   * @throws DatabaseError. The next call loads the list again.
   */
  async load(list: ListDefinition, since = performance.now()): Promise<CurrentList> {
    const entry = this.#entries.get(list.key) ?? this.#addEntry(list);
    entry.searchedAt = performance.now();
    const read = this.stamps.readSince(list, since);
    const isCurrent = read !== null && entry.stamp !== null && isSameStamp(entry.stamp, read);
    const stamp = isCurrent ? read : await entry.refresh.now();
    return { memory: entry.memory, stamp };
  }

  /** Returns true when the list and these text columns are loaded. They may be evicted during the next `await`. */
  has(list: ListDefinition, columns: readonly string[]): boolean {
    const entry = this.#entries.peek(list.key);
    return (
      entry !== undefined &&
      entry.stamp !== null &&
      columns.every((column) => entry.memory.getTexts(column) !== undefined)
    );
  }

  /**
   * Loads the list and these text columns, unless they are loaded or loading. Skips a column that does not fit into memory, until the
   * list is loaded again.
   *
   * @param mayEvict - False: lists in memory stay, and a text that does not fit beside them is skipped.
   * @throws DatabaseError
   */
  async readTexts(
    list: ListDefinition,
    columns: readonly TextToRead[],
    mayEvict = true,
  ): Promise<void> {
    const entry = this.#entries.get(list.key) ?? this.#addEntry(list);
    await entry.refresh.now();
    const { memory } = entry;
    if (this.#entries.peek(list.key) !== entry) return;
    for (const { column, inOrder } of columns) {
      if (entry.begunTexts.has(column) || memory.getTexts(column) !== undefined) continue;
      entry.begunTexts.add(column);
      memory.openTexts(column, inOrder);
      const since = performance.now();
      await this.#readColumn(entry, column, mayEvict);
      const isRead = memory.getTexts(column) !== undefined;
      const facts = { list: list.key, column, bytes: this.bytes, ms: msSince(since) };
      this.#onDecision(
        isRead ? 'a text was read into memory' : 'a text does not fit into memory',
        facts,
      );
    }
  }

  async #readColumn(entry: Entry, column: string, mayEvict: boolean): Promise<void> {
    const { memory } = entry;
    for (let above: number | null = 0, batch = 1; above !== null; batch += 1) {
      const from: number = above;
      above = await this.#runInTurn(entry, () =>
        readTexts(selectReader(this.#database, memory.list), memory, column, from),
      );
      if (this.#entries.peek(memory.list.key) !== entry) return;
      if (batch % batchesPerCheck !== 0 && above !== null) continue;
      if (mayEvict) this.#evictIdle(memory.list.key);
      if (this.bytes <= this.#maxBytes) continue;
      memory.dropTexts(column);
      // A search may load it later, and evict lists for it.
      if (!mayEvict) entry.begunTexts.delete(column);
      return;
    }
    memory.completeTexts(column);
    entry.begunTexts.delete(column);
  }

  /** Runs the reads of one list one after another. */
  async #runInTurn<T>(entry: Entry, read: () => Promise<T>): Promise<T> {
    const reading = entry.reading.catch(() => undefined).then(read);
    entry.reading = reading;
    try {
      return await reading;
    } catch (error) {
      // Evicts the list, because a batch may have been stored in part.
      const { key } = entry.memory.list;
      if (this.#entries.peek(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  /**
   * Loads lists one after another, then their texts, until the memory is nearly full. Loads all fields before the first text, because
   * conditions on dates and choices need only fields.
   *
   * @throws DatabaseError
   */
  async preload(
    lists: readonly ListDefinition[],
    textsOf: (list: ListDefinition) => readonly TextToRead[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const columns of [() => [], textsOf])
      for (const list of lists) {
        if (signal.aborted || this.bytes >= this.#maxBytes * preloadShare) return;
        await this.readTexts(list, columns(list), false);
      }
  }

  /** Size and text columns of each list in memory. */
  get figures(): readonly MemoryFigures[] {
    return [...this.#entries.values()].map(({ memory, stamp }) => ({
      list: memory.list,
      bytes: memory.bytes,
      rows: memory.listedCount,
      isComplete: stamp !== null,
      texts: memory.textColumns.filter((column) => memory.getTexts(column) !== undefined),
    }));
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Size of all lists in memory. */
  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { memory }) => sum + memory.bytes, 0);
  }

  #addEntry(list: ListDefinition): Entry {
    const entry: Entry = {
      memory: new ListMemory(list),
      stamp: null,
      reading: Promise.resolve(),
      refresh: new SharedRead(() => this.#runInTurn(entry, () => this.#refresh(entry))),
      searchedAt: Number.NEGATIVE_INFINITY,
      begunTexts: new Set(),
    };
    this.#entries.set(list.key, entry);
    return entry;
  }

  async #refresh(entry: Entry): Promise<ListStamp> {
    const { memory } = entry;
    const reader = selectReader(this.#database, memory.list);
    const since = performance.now();
    for (let refresh = 1; ; refresh += 1) {
      // Reads from the primary database, because choosing a replica that is current takes as long.
      const now = await this.stamps.read(memory.list);
      const before = entry.stamp;
      if (before !== null && isSameStamp(before, now)) return now;
      if (before === null || !isLater(before, now)) {
        memory.unlistOthers(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, new Set());
        await readAllRows(reader, memory, this.#rowsPerBatch);
      } else {
        if (before.revision !== now.revision)
          await readRowsSince(reader, memory, before.revision, this.#rowsPerBatch);
        if (before.risk !== now.risk)
          await readRiskChanges(reader, memory, before.risk, this.#rowsPerBatch);
      }
      if (memory.listedCount > now.listed) await withdrawDeleted(reader, memory);
      entry.stamp = now;
      this.#onDecision(before === null ? 'a list was read into memory' : 'a list was read again', {
        list: memory.list.key,
        rows: memory.listedCount,
        revision: now.revision,
        ms: msSince(since),
      });
      this.#evictIdle(memory.list.key);
      if (refresh === maxRefreshes) return now;
    }
  }

  #evictIdle(currentKey: string): void {
    for (const key of Array.from(this.#entries.rkeys())) {
      if (this.bytes <= this.#maxBytes) return;
      const { searchedAt = 0 } = this.#entries.peek(key) ?? {};
      if (key === currentKey || performance.now() - searchedAt <= minIdleMs) continue;
      this.#entries.delete(key);
      this.#onDecision('a list was evicted from memory', { list: key });
    }
  }
}
