/** The first rows of a search in the order of a date or a number, from memory. */
import { columnsOfField } from '../../platform/database/list-columns.ts';
import type { Search, SortKey } from '../criteria/search-request.ts';
import type { ListMemory } from './list-memory.ts';

/** Rows before a page and on it, at most: of more the database is asked, along its index. */
export const maxOrderedRows = 5_000;

/** The field by whose values the rows can be put in order here; null when only the database knows the order. */
export function orderHeld(memory: ListMemory, sort: readonly SortKey[]): SortKey | null {
  const [key] = sort;
  if (key === undefined || sort.length > 1) return null;
  if (key.field === 'id') return key;
  const { column, sorted } = columnsOfField(memory.list, key.field);
  return memory.numbers.has(key.field) && sorted === column ? key : null;
}

/**
 * The numbers of the rows on the page, in the search's order: rows without a value last, ties by number in the direction of the key.
 * `positions` ascend. Null when the page is too far from the first row.
 */
export function pageOf(
  memory: ListMemory,
  positions: Uint32Array,
  key: SortKey,
  { offset, size }: Pick<Search, 'offset' | 'size'>,
): readonly number[] | null {
  const wanted = offset + size;
  if (wanted > maxOrderedRows) return null;
  const values = key.field === 'id' ? memory.ids : memory.numbers.get(key.field)?.values;
  if (values === undefined) return null;
  const sign = key.descending ? -1 : 1;
  /** Whether the row at one position precedes that at the other. */
  const precedes = (one: number, other: number): boolean => {
    const [a, b] = [values[one] ?? Number.NaN, values[other] ?? Number.NaN];
    if (a !== b) {
      if (Number.isNaN(a)) return Number.isNaN(b) && sign * (one - other) < 0;
      return Number.isNaN(b) || sign * (a - b) < 0;
    }
    return sign * (one - other) < 0;
  };
  const first = firstOf(positions, wanted, precedes).slice(offset);
  return Array.from(first, (position) => memory.ids[position] ?? 0);
}

/** The first `wanted` rows in order: a heap whose root is the last of those that are kept. */
function firstOf(
  positions: Uint32Array,
  wanted: number,
  precedes: (one: number, other: number) => boolean,
): number[] {
  const heap: number[] = [];
  const sink = (from: number) => {
    const row = heap[from] ?? 0;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && precedes(heap[child] ?? 0, heap[child + 1] ?? 0)) child += 1;
      if (!precedes(row, heap[child] ?? 0)) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = row;
  };
  for (const position of positions) {
    if (heap.length < wanted) {
      heap.push(position);
      if (heap.length === wanted) for (let at = (wanted >>> 1) - 1; at >= 0; at -= 1) sink(at);
    } else if (wanted > 0 && precedes(position, heap[0] ?? 0)) {
      heap[0] = position;
      sink(0);
    }
  }
  return heap.toSorted((one, other) => (precedes(one, other) ? -1 : 1));
}
