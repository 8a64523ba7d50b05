/** Finds a page of updates from memory: of the records of one update, the first in the order of the search stands for it. */
import type { RowGroup } from '@patch/contract/grouped-search-endpoint.ts';
import { isRanked } from '../criteria/match-rank.ts';
import type { Search } from '../criteria/search-request.ts';
import type { ListMemories } from './list-memories.ts';
import type { ListMemory } from './list-memory.ts';
import { narrowInMemory } from './memory-search.ts';
import { createOrder, type MemoryOrder } from './ordered-positions.ts';
import { rankRows, selectRankedPage } from './rank-rows.ts';
import { RowSet } from './row-set.ts';
import type { WordColumn } from './word-column.ts';

export interface GroupedPage {
  readonly groups: readonly RowGroup[];
  /** Matching records. */
  readonly total: number;
  readonly updates: number;
}

/** Returns null when memory lacks the list, a compared value or a value of the order. */
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
  const firsts = selectFirsts(memory, column, ranks, order);
  const ids = selectRankedPage(memory, firsts, order, search);
  if (ids === null) return null;
  const positions = ids.map((id) => memory.findPosition(id) ?? 0);
  return {
    groups: readGroups(memory, { column, ranks, order, positions }),
    total: rows.size,
    updates: firsts.reduce((sum, { size }) => sum + size, 0),
  };
}

/** Returns the first record of each update, in the first of the disjoint sets that has one. A record without an update is its own. */
function selectFirsts(
  memory: ListMemory,
  { codes, distinct }: WordColumn,
  ranks: readonly RowSet[],
  { precedes }: MemoryOrder,
): readonly RowSet[] {
  const hasFirst = new Uint8Array(distinct);
  return ranks.map((rows) => {
    const first = new Int32Array(distinct).fill(-1);
    const selected = new RowSet(memory.rows);
    for (const position of rows.positions()) {
      const code = codes[position] ?? 0;
      if (code === 0) selected.add(position);
      else if (hasFirst[code] === 0) {
        const known = first[code] ?? -1;
        if (known < 0 || precedes(position, known)) first[code] = position;
      }
    }
    for (let code = 1; code < distinct; code += 1) {
      const position = first[code] ?? -1;
      if (position < 0) continue;
      selected.add(position);
      hasFirst[code] = 1;
    }
    return selected;
  });
}

interface ShownGroups {
  readonly column: WordColumn;
  readonly ranks: readonly RowSet[];
  readonly order: MemoryOrder;
  /** Of the record that stands for each update, in order. */
  readonly positions: readonly number[];
}

/** Returns the matching records of the shown updates in order, and the count of all. */
function readGroups(
  memory: ListMemory,
  { column: { codes, distinct }, ranks, order, positions }: ShownGroups,
): readonly RowGroup[] {
  const members = new Map<number, number[]>();
  const isShown = new Uint8Array(distinct);
  for (const position of positions) {
    const code = codes[position] ?? 0;
    if (code === 0) continue;
    members.set(code, []);
    isShown[code] = 1;
  }
  for (const rows of ranks) {
    const found = rows.positions().filter((position) => isShown[codes[position] ?? 0] === 1);
    const sorted = [...found].toSorted((a, b) => (order.precedes(a, b) ? -1 : 1));
    for (const position of sorted) members.get(codes[position] ?? 0)?.push(position);
  }
  const records = new Map<number, number>();
  const { listed } = memory;
  for (let position = 0; position < memory.rows; position += 1) {
    const code = codes[position] ?? 0;
    if (isShown[code] === 1 && listed[position] === 1)
      records.set(code, (records.get(code) ?? 0) + 1);
  }
  return positions.map((position) => {
    const code = codes[position] ?? 0;
    const own = members.get(code) ?? [position];
    return {
      ids: own.map((member) => memory.ids[member] ?? 0),
      records: records.get(code) ?? own.length,
    };
  });
}
