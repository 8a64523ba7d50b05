/** Selects the page of a search in its order, from memory. */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { getChoiceRank } from '../../platform/database/rows/stored-row.ts';
import { toNumberRange } from '../criteria/condition-meaning.ts';
import type { Search, SortKey } from '../criteria/search-request.ts';
import type { ListMemory } from './list-memory.ts';
import type { RowSet } from './row-set.ts';

/** Maximum of rows up to the end of the page. For more rows, the order of the database is faster than a heap. */
const maxOrderedRows = 5_000;

/** Returns true when the row at the left position precedes the row at the right position. */
type RowOrder = (left: number, right: number) => boolean;

/** Negative when the row at the left position precedes the other one, 0 when the fields of the order are equal. */
type RowComparison = (left: number, right: number) => number;

/** The order of a search, as far as memory has the values of its fields. */
export interface MemoryOrder {
  readonly precedes: RowOrder;
  /** Compares by the leading fields that are in memory. */
  readonly compare: RowComparison;
  /** Returns the first field of the order as a number that ascends with it; Infinity for a missing value. */
  readonly leadingAt: (position: number) => number;
  /** False when a later field is not in memory, so that `compare` leaves ties which the database has to order. */
  readonly isComplete: boolean;
  /** Returns the positions of a page of many rows; null when memory does not keep this order, or the page is far from its start. */
  readonly page: (rows: RowSet, offset: number, size: number) => readonly number[] | null;
}

type Ordered = Pick<Search, 'sort' | 'conditions'>;

/** Returns null when memory lacks the values of the first field. */
export function createOrder(memory: ListMemory, search: Ordered): MemoryOrder | null {
  const { sort } = search;
  const keys: { readonly valueAt: (position: number) => number; readonly sign: 1 | -1 }[] = [];
  for (const { descending, ...key } of sort) {
    const valueAt = readKeyValues(memory, key);
    if (valueAt === null) break;
    keys.push({ valueAt, sign: descending ? -1 : 1 });
  }
  const [leading] = keys;
  if (leading === undefined) return null;
  const tie = sort[0]?.descending === true ? -1 : 1;
  const compare: RowComparison = (left, right) => {
    for (const { valueAt, sign } of keys) {
      const [a, b] = [valueAt(left), valueAt(right)];
      if (a === b) continue;
      // A row without a value comes last in both directions.
      if (Number.isNaN(a)) {
        if (Number.isNaN(b)) continue;
        return 1;
      }
      return Number.isNaN(b) ? -1 : sign * (a - b);
    }
    return 0;
  };
  return {
    compare,
    leadingAt(position) {
      const value = leading.sign * leading.valueAt(position);
      return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
    },
    precedes: (left, right) => (compare(left, right) || tie * (left - right)) < 0,
    isComplete: keys.length === sort.length,
    page: createPage(memory, search),
  };
}

function createPage(memory: ListMemory, { sort, conditions }: Ordered): MemoryOrder['page'] {
  const [key, ...others] = sort;
  const column = key === undefined ? undefined : memory.numbers.get(key.field);
  const isSingleKey = others.length === 0 && key?.onlyIf === undefined;
  if (key === undefined || column === undefined || !isSingleKey) return () => null;
  const ranges = conditions.flatMap((condition) => {
    const range = condition.name === key.field ? toNumberRange(condition) : null;
    return range === null ? [] : [range];
  });
  const range = [
    Math.max(Number.NEGATIVE_INFINITY, ...ranges.map(([low]) => low)),
    Math.min(Number.POSITIVE_INFINITY, ...ranges.map(([, high]) => high)),
  ] as const;
  const { descending } = key;
  return (rows, offset, size) => column.page(rows, { descending, offset, size, range });
}

/** Rows that contain a page of a search whose order memory has only in part. */
export interface TiedRows {
  readonly positions: readonly number[];
  /** Rows of the search before all of these. */
  readonly skipped: number;
}

/** Returns the page with all rows that tie with its first or last one. Returns null when there are more than `maxRows`. */
export function selectTiedRows(
  rows: RowSet,
  order: MemoryOrder,
  { offset, size }: Pick<Search, 'offset' | 'size'>,
  maxRows: number,
): TiedRows | null {
  const end = Math.min(offset + size, rows.size);
  if (end > maxOrderedRows || offset >= end) return null;
  const { compare, leadingAt } = order;
  const selected = selectFirst(rows, end, order);
  const [first = 0, last = 0] = [selected[offset], selected.at(-1)];
  const limit = leadingAt(last);
  const tied: number[] = [];
  let skipped = 0;
  rows.forEach((position) => {
    if (leadingAt(position) > limit) return;
    if (compare(position, first) < 0) skipped += 1;
    else if (tied.length <= maxRows && compare(position, last) <= 0) tied.push(position);
  });
  return tied.length > maxRows ? null : { positions: tied, skipped };
}

/** Returns a function from a position to a number that sorts as the key, NaN for a missing value; null when memory lacks a field of it. */
function readKeyValues(
  memory: ListMemory,
  { field, onlyIf }: Omit<SortKey, 'descending'>,
): ((position: number) => number) | null {
  const valueAt = readSortValues(memory, field);
  const flagAt = onlyIf === undefined ? null : readSortValues(memory, onlyIf);
  if (onlyIf === undefined || valueAt === null) return valueAt;
  return flagAt === null
    ? null
    : (position) => (flagAt(position) === 1 ? valueAt(position) : Number.NaN);
}

/** Returns a function from a position to a number that sorts as the field, NaN for a missing value; null when memory lacks the field. */
function readSortValues(memory: ListMemory, field: string): ((position: number) => number) | null {
  if (field === 'id') return (position) => position;
  const { list } = memory;
  const { column, sorted, rank } = columnsOfField(list, field);
  const numbers = memory.numbers.get(field);
  if (numbers !== undefined && sorted === column)
    return (position) => numbers.values[position] ?? Number.NaN;
  const words = memory.words.get(field);
  const isFlag = getField(list, field).kind === 'flag';
  if (words === undefined || (sorted !== rank && !isFlag)) return null;
  const ranks = Float64Array.from({ length: words.distinct }, (_, code) => {
    const [value] = words.getElements(code);
    if (value === undefined) return Number.NaN;
    return typeof value === 'boolean' ? Number(value) : getChoiceRank(list, field, fold(value));
  });
  return (position) => ranks[words.codes[position] ?? 0] ?? Number.NaN;
}

/** Returns the ids of the rows on the page, in this order. Returns null when the page is too far from the first row. */
export function selectPage(
  { ids }: ListMemory,
  rows: RowSet,
  order: MemoryOrder,
  page: Pick<Search, 'offset' | 'size'>,
): readonly number[] | null {
  const positions = selectPositions(rows, order, page);
  return positions?.map((position) => ids[position] ?? 0) ?? null;
}

/** Returns the positions on the page, in this order. Returns null when the page is too far from the first row. */
export function selectPositions(
  rows: RowSet,
  order: MemoryOrder,
  { offset, size }: Pick<Search, 'offset' | 'size'>,
): readonly number[] | null {
  if (size === 0 || offset >= rows.size) return [];
  const end = offset + size;
  const inOrder = rows.size > maxOrderedRows ? order.page(rows, offset, size) : null;
  if (inOrder === null && end > maxOrderedRows) return null;
  return inOrder ?? selectFirst(rows, end, order).slice(offset);
}

/** Returns the first `count` positions in order. The root of the heap is the last of the positions selected so far. */
function selectFirst(rows: RowSet, count: number, { precedes, leadingAt }: MemoryOrder): number[] {
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
  // Most rows of a large result are behind the root by their first field alone.
  const positions = rows.positions();
  heap.push(...positions.subarray(0, count));
  for (let at = (heap.length >>> 1) - 1; at >= 0; at -= 1) sink(at);
  let limit = leadingAt(heap[0] ?? 0);
  for (let at = count; at < positions.length; at += 1) {
    const position = positions[at] ?? 0;
    if (leadingAt(position) > limit || !precedes(position, heap[0] ?? 0)) continue;
    heap[0] = position;
    sink(0);
    limit = leadingAt(heap[0] ?? 0);
  }
  return heap.toSorted((left, right) => (precedes(left, right) ? -1 : 1));
}
