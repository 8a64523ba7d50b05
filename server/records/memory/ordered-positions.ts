/** The first rows of a search in its order, from memory. */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { rankOfWord } from '../../platform/database/stored-row.ts';
import type { Search, SortKey } from '../criteria/search-request.ts';
import type { ListMemory } from './list-memory.ts';

/** Rows before a page and on it, at most: a heap of more costs more than the database's order. */
const maxOrderedRows = 5_000;

/** Whether the row at one position precedes that at the other. */
export type RowOrder = (one: number, other: number) => boolean;

/** The order of a search; null when only the database knows it. */
export function orderInMemory(memory: ListMemory, sort: readonly SortKey[]): RowOrder | null {
  const keys: { readonly valueAt: (position: number) => number; readonly sign: 1 | -1 }[] = [];
  for (const { field, descending } of sort) {
    const valueAt = valuesOfField(memory, field);
    if (valueAt === null) return null;
    keys.push({ valueAt, sign: descending ? -1 : 1 });
  }
  const tie = sort[0]?.descending === true ? -1 : 1;
  return (one, other) => {
    for (const { valueAt, sign } of keys) {
      const [a, b] = [valueAt(one), valueAt(other)];
      if (a === b) continue;
      // A row without a value comes last both ways.
      if (Number.isNaN(a)) {
        if (Number.isNaN(b)) continue;
        return false;
      }
      return Number.isNaN(b) || sign * (a - b) < 0;
    }
    return tie * (one - other) < 0;
  };
}

/** @returns the values of a field as numbers in its order, NaN for none; null when memory does not hold them. */
function valuesOfField(memory: ListMemory, field: string): ((position: number) => number) | null {
  if (field === 'id') return (position) => position;
  const { list } = memory;
  const { column, sorted, rank } = columnsOfField(list, field);
  const numbers = memory.numbers.get(field);
  if (numbers !== undefined && sorted === column)
    return (position) => numbers.values[position] ?? Number.NaN;
  const words = memory.words.get(field);
  const isFlag = fieldOf(list, field).kind === 'flag';
  if (words === undefined || (sorted !== rank && !isFlag)) return null;
  const ranks = Float64Array.from({ length: words.distinct }, (_, code) => {
    const [value] = words.elements(code);
    if (value === undefined) return Number.NaN;
    return typeof value === 'boolean' ? Number(value) : rankOfWord(list, field, fold(value));
  });
  return (position) => ranks[words.codes[position] ?? 0] ?? Number.NaN;
}

/** The numbers of the rows on the page, in this order. Null when the page is too far from the first row. */
export function pageInOrder(
  memory: ListMemory,
  positions: Uint32Array,
  precedes: RowOrder,
  { offset, size }: Pick<Search, 'offset' | 'size'>,
): readonly number[] | null {
  if (size === 0 || offset >= positions.length) return [];
  const wanted = offset + size;
  if (wanted > maxOrderedRows) return null;
  const first = firstOf(positions, wanted, precedes).slice(offset);
  return Array.from(first, (position) => memory.ids[position] ?? 0);
}

/** The first `wanted` rows in order: a heap whose root is the last of those that are kept. */
function firstOf(positions: Uint32Array, wanted: number, precedes: RowOrder): number[] {
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
    } else if (precedes(position, heap[0] ?? 0)) {
      heap[0] = position;
      sink(0);
    }
  }
  return heap.toSorted((one, other) => (precedes(one, other) ? -1 : 1));
}
