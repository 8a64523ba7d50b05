/** Finds a page of updates from memory: of the records of one update, the first in the order of the search stands for it. */
import { maxGroupIds, type RowGroup } from '@patch/contract/records/grouped-search-endpoint.ts';
import { isRanked } from '../criteria/match-rank.ts';
import type { Search } from '../criteria/search-request.ts';
import type { ListMemories } from './list-memories.ts';
import type { ListMemory } from './list-memory.ts';
import { narrowInMemory } from './memory-search.ts';
import { createOrder, type MemoryOrder, selectPositions } from './ordered-positions.ts';
import { rankRows, selectRankedPage } from './rank-rows.ts';
import { RowSet } from './row-set.ts';
import type { WordColumn } from './word-column.ts';

export interface GroupedPage {
  readonly groups: readonly RowGroup[];
  /** Matching records. */
  readonly total: number;
  readonly updates: number;
}

/** Maximum of rows that are compared with each other, in about 10 ms. For more, the order of the rows must be known, or PostgreSQL answers. */
const maxCompared = 50_000;
/** Maximum of rows that are read in their order until the page is complete. */
const maxOrdered = 4_000;

/** Returns null when memory lacks the list, a compared value or a value of the order, or would take too long. */
export async function findGroupsInMemory(
  memories: ListMemories,
  search: Search,
): Promise<GroupedPage | null> {
  const narrowed = await narrowInMemory(memories, search);
  if (narrowed === null || !narrowed.isExact) return null;
  const { memory, rows } = narrowed;
  const ranks = isRanked(search) ? rankRows(memory, rows, search) : [rows];
  const order = createOrder(memory, search);
  const column = memory.updates;
  if (column === null || ranks === null || order?.isComplete !== true) return null;
  // The records of the shown updates are read from all ranks.
  const shown = { memory, column, ranks: [...ranks], order };
  const positions =
    rows.size > maxCompared ? walkToPage(shown, search) : comparePage(shown, search);
  const groups = positions === null ? null : readGroups(shown, positions);
  if (groups === null) return null;
  return {
    groups,
    total: rows.size,
    updates: countUpdates(column, rows),
  };
}

interface OrderedRows {
  readonly memory: ListMemory;
  readonly column: WordColumn;
  /** Disjoint, one after another. */
  readonly ranks: readonly RowSet[];
  readonly order: MemoryOrder;
}

/** A record without an update is its own. */
function countUpdates({ codes, distinct }: WordColumn, rows: RowSet): number {
  const isFound = new Uint8Array(distinct);
  const positions = rows.positions();
  let count = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const code = codes[positions[at] ?? 0] ?? 0;
    if (code === 0 || isFound[code] === 0) count += 1;
    isFound[code] = 1;
  }
  return count;
}

/** Reads rows in their order until the page has its updates. Returns null where memory does not keep the order, or the page is too far. */
function walkToPage({ column: { codes }, ranks, order }: OrderedRows, search: Search) {
  const end = search.offset + search.size;
  const firsts: number[] = [];
  const found = new Set<number>();
  let left = maxOrdered;
  for (const rows of ranks) {
    const size = Math.min(rows.size, left);
    const ordered =
      rows.size > maxOrdered
        ? order.page(rows, 0, size)
        : selectPositions(rows, order, { offset: 0, size });
    if (ordered === null) return null;
    for (const position of ordered) {
      const code = codes[position] ?? 0;
      if (code !== 0 && found.has(code)) continue;
      found.add(code);
      firsts.push(position);
      if (firsts.length === end) return firsts.slice(search.offset);
    }
    left -= rows.size;
    if (left < 0) return null;
  }
  return firsts.slice(search.offset);
}

function comparePage(shown: OrderedRows, search: Search): readonly number[] | null {
  const { memory, ranks, order } = shown;
  const hasFirst = new Uint8Array(shown.column.distinct);
  const firsts = ranks.map((rows) => selectFirsts(shown, rows, hasFirst));
  const ids = selectRankedPage(memory, firsts, order, search);
  return ids?.map((id) => memory.findPosition(id) ?? 0) ?? null;
}

/** Returns the first record of each update that has none yet. */
function selectFirsts(
  { memory, column: { codes, distinct }, order: { precedes } }: OrderedRows,
  rows: RowSet,
  hasFirst: Uint8Array,
): RowSet {
  const first = new Int32Array(distinct).fill(-1);
  const selected: number[] = [];
  const positions = rows.positions();
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] ?? 0;
    const code = codes[position] ?? 0;
    if (code === 0) selected.push(position);
    else if (hasFirst[code] === 0) {
      const known = first[code] ?? -1;
      if (known < 0 || precedes(position, known)) first[code] = position;
    }
  }
  for (let code = 1; code < distinct; code += 1) {
    const position = first[code] ?? -1;
    if (position < 0) continue;
    selected.push(position);
    hasFirst[code] = 1;
  }
  return RowSet.fromPositions(Uint32Array.from(selected), memory.rows);
}

/** Returns the matching records of the shown updates in order, and the count of all; null for too many. */
function readGroups(
  { memory, column, ranks, order }: OrderedRows,
  shown: readonly number[],
): readonly RowGroup[] | null {
  const { codes, distinct } = column;
  const { ids, listed } = memory;
  const isShown = new Uint8Array(distinct);
  for (const position of shown) isShown[codes[position] ?? 0] = 1;
  isShown[0] = 0;
  const members = new Map<number, number[]>();
  for (const rows of ranks) {
    const positions = rows.positions();
    const found: number[] = [];
    for (let at = 0; at < positions.length; at += 1) {
      const position = positions[at] ?? 0;
      if (isShown[codes[position] ?? 0] === 1) found.push(position);
    }
    if (found.length > maxCompared) return null;
    for (const position of found.toSorted((a, b) => (order.precedes(a, b) ? -1 : 1))) {
      const code = codes[position] ?? 0;
      const own = members.get(code);
      if (own === undefined) members.set(code, [position]);
      else own.push(position);
    }
  }
  const records = new Map<number, number>();
  for (let position = 0; position < memory.rows; position += 1) {
    const code = codes[position] ?? 0;
    if (isShown[code] === 1 && listed[position] === 1)
      records.set(code, (records.get(code) ?? 0) + 1);
  }
  return shown.map((position) => {
    const code = codes[position] ?? 0;
    const own = members.get(code) ?? [position];
    return {
      ids: own.slice(0, maxGroupIds).map((member) => ids[member] ?? 0),
      matching: own.length,
      records: records.get(code) ?? own.length,
    };
  });
}
