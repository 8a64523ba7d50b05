/** Finds the rows of searches in memory: exact totals and, where the order is held too, the numbers of a page's rows. */
import type { Search } from '../criteria/search-request.ts';
import { asksForEqualText, canBeHeld, rowsThatMeet, textsAsked } from './held-search.ts';
import type { HeldList, ListMemories } from './list-memories.ts';
import type { ListStamp } from './list-memory-store.ts';
import { orderHeld, pageOf } from './ordered-positions.ts';
import type { RowSet } from './row-set.ts';
import { StampedCache } from './stamped-cache.ts';

/** Of sets of rows, an eighth of a byte for each row of their lists. */
const maxKeptBytes = 16 * 1024 * 1024;

export interface HeldAnswer {
  readonly stamp: ListStamp;
  readonly total: number;
  /** Numbers of all rows, ascending, when they are few. */
  readonly ids: readonly number[] | null;
  /** Numbers of the page's rows in the search's order; null where only the database knows it. */
  readonly page: readonly number[] | null;
}

export class HeldSearches {
  readonly #memories: ListMemories;
  readonly #onFailure: (error: unknown) => void;
  readonly #kept = new StampedCache<RowSet>({
    maxSize: maxKeptBytes,
    sizeOf: ({ rows }) => Math.ceil(rows / 8) + 1_000,
  });

  /** `onFailure` is told when reading into memory failed; searches are then answered by the database. */
  constructor(memories: ListMemories, onFailure: (error: unknown) => void = () => undefined) {
    this.#memories = memories;
    this.#onFailure = onFailure;
  }

  /** Whether everything that the search asks for is held at this moment. */
  holds(search: Search): boolean {
    return isHeld(this.#memories, search);
  }

  /** Reads what searches like this one ask for, so that the next one is answered from memory. Never rejects. */
  async prepare(search: Search): Promise<void> {
    // The database finds the rows of a named value by an index: reading all texts for it would only make others wait.
    if (asksForEqualText(search)) return;
    const texts = canBeHeld(search.list) ? textsAsked(search) : null;
    if (texts === null) return;
    try {
      await this.#memories.readTexts(search.list, texts);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /**
   * `key`: equal for searches of the same rows. `most`: of more rows the numbers are not answered. `named`: numbers of rows that come
   * before all others, in their order. Null: not everything is held any longer. Rejects with a DatabaseError.
   */
  async find(
    search: Search,
    {
      key,
      most,
      named,
    }: { readonly key: string; readonly most: number; readonly named: readonly number[] },
  ): Promise<HeldAnswer | null> {
    const held = await this.#memories.of(search.list);
    const rows = this.#rowsOf(held, search, key);
    if (rows === null) return null;
    const { memory, stamp } = held;
    const total = rows.size;
    const order = orderHeld(memory, search.sort);
    const isFew = total <= most;
    const positions = isFew || order !== null ? rows.positions() : null;
    const idOf = (position: number) => memory.ids[position] ?? 0;
    return {
      stamp,
      total,
      ids: isFew && positions !== null ? Array.from(positions, idOf) : null,
      page:
        order === null || positions === null
          ? null
          : withFirst(search, named, (wanted) => pageOf(memory, positions, order, wanted)),
    };
  }

  #rowsOf({ memory, stamp }: HeldList, search: Search, key: string): RowSet | null {
    const kept = this.#kept.get(key, stamp);
    if (kept !== undefined) return kept;
    const rows = rowsThatMeet(memory, search);
    if (rows !== null) this.#kept.set(key, stamp, rows);
    return rows;
  }
}

/** A page of which the first rows are known: the others follow without them. */
function withFirst(
  { offset, size }: Search,
  named: readonly number[],
  pageFrom: (page: { offset: number; size: number }) => readonly number[] | null,
): readonly number[] | null {
  if (named.length === 0) return pageFrom({ offset, size });
  const first = new Set(named);
  const others = pageFrom({ offset: 0, size: offset + size + named.length });
  if (others === null) return null;
  return [...named, ...others.filter((id) => !first.has(id))].slice(offset, offset + size);
}

/** Whether everything that the search asks for is in memory at this moment. */
export function isHeld(memories: ListMemories, search: Search): boolean {
  const texts = canBeHeld(search.list) ? textsAsked(search) : null;
  if (texts === null) return false;
  const columns = texts.map(({ column }) => column);
  return memories.holds(search.list, columns);
}
