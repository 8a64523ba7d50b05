/** The rows of a column in the order of their numbers, for ranges, equal numbers and pages of large results. */
import type { NumberRange } from '../criteria/condition-meaning.ts';
import { RowSet } from './row-set.ts';

/** Maximum of changed rows that are merged, in about 10 ms. For more, all rows are sorted: a million in 100 ms. */
const maxMerged = 10_000;
/** Maximum of other rows before the end of a page, which takes about 0.5 ms. */
const maxPassed = 50_000;

/** Numbers by position, NaN for a missing one. */
type Numbers = Float64Array | Uint32Array;

export interface PageInOrder {
  readonly descending: boolean;
  readonly offset: number;
  readonly size: number;
  /** Contains the values of the rows; infinite in both directions for rows without a value too. */
  readonly range: NumberRange;
}

export class ValueOrder {
  /** Positions in ascending order of value and position. Rows without a value come last. */
  #sorted = new Uint32Array();
  /** Count of the rows with a value. */
  #valued = 0;
  /** Count of all rows. Every position is smaller. */
  #rows = 0;
  /** Rows whose values have changed since `#sorted` was made; null: too many to merge. */
  #changed: Set<number> | null = new Set();

  get bytes(): number {
    return this.#sorted.byteLength;
  }

  /** Notes that the value of a row has changed. */
  change(position: number): void {
    this.#rows = Math.max(this.#rows, position + 1);
    this.#changed?.add(position);
    if (this.#changed !== null && this.#changed.size > maxMerged) this.#changed = null;
  }

  /** Returns the positions of the rows whose value is in the range, in ascending order of value and position. */
  range(values: Numbers, [low, high]: NumberRange): Uint32Array {
    this.#update(values);
    const from = this.#count(values, (value) => value < low);
    return this.#sorted.subarray(
      from,
      this.#count(values, (value) => value <= high, from),
    );
  }

  /**
   * Returns the positions of a page of `rows` in order: ties by position in the same direction, rows without a value last. Returns null
   * when the page is behind too many other rows of the range.
   */
  page(
    values: Numbers,
    rows: RowSet,
    { descending, offset, size, range }: PageInOrder,
  ): readonly number[] | null {
    const parts = [this.range(values, range)];
    if (range.every((bound) => !Number.isFinite(bound)))
      parts.push(this.#sorted.subarray(this.#valued));
    const found: number[] = [];
    let skipped = 0;
    let passed = 0;
    for (const part of parts) {
      for (let at = 0; at < part.length && found.length < size; at += 1) {
        const position = part[descending ? part.length - 1 - at : at] ?? 0;
        if (!rows.has(position)) {
          if (passed === maxPassed) return null;
          passed += 1;
        } else if (skipped === offset) found.push(position);
        else skipped += 1;
      }
    }
    return found;
  }

  /** Counts the rows at the start of the order whose value passes a test that no later value passes. */
  #count(values: Numbers, test: (value: number) => boolean, from = 0): number {
    return countFirst(
      this.#valued,
      (at) => test(values[this.#sorted[at] ?? 0] ?? Number.NaN),
      from,
    );
  }

  #update(values: Numbers): void {
    if (this.#changed?.size === 0) return;
    this.#sorted =
      this.#changed === null
        ? sortPositions(values, this.#rows)
        : mergePositions(values, this.#sorted, Uint32Array.from(this.#changed));
    this.#changed = new Set();
    this.#valued = this.#sorted.length;
    this.#valued = this.#count(values, (value) => !Number.isNaN(value));
  }
}

/** Returns how many of the first `length` indexes pass a test that no later index passes. */
function countFirst(length: number, test: (at: number) => boolean, from = 0): number {
  let low = from;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares by value, NaN last, and by position. */
function createComparison(values: Numbers): (left: number, right: number) => number {
  return (left, right) => {
    const [a, b] = [values[left] ?? Number.NaN, values[right] ?? Number.NaN];
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    return a - b || left - right;
  };
}

/**
 * Sorts keys of 64 bits, the first 32 bits of a value and a position, because that takes a fifth of the time of a comparing sort. Then
 * compares the rows with equal keys.
 */
function sortPositions(values: Numbers, rows: number): Uint32Array<ArrayBuffer> {
  const keys = new BigUint64Array(rows);
  // The platform is little-endian, as all on which Node runs.
  const halves = new Uint32Array(keys.buffer);
  const words = new Uint32Array(values.buffer, values.byteOffset);
  for (let position = 0; position < rows; position += 1) {
    halves[2 * position] = position;
    halves[2 * position + 1] =
      values instanceof Uint32Array
        ? (values[position] ?? 0)
        : getOrderedWord(values[position] ?? Number.NaN, words[2 * position + 1] ?? 0);
  }
  keys.sort();
  const sorted = Uint32Array.from({ length: rows }, (_, at) => halves[2 * at] ?? 0);
  const compare = createComparison(values);
  for (let from = 0, at = 1; at <= rows; at += 1) {
    if (at < rows && halves[2 * at + 1] === halves[2 * from + 1]) continue;
    if (at - from > 1) sorted.subarray(from, at).sort(compare);
    from = at;
  }
  return sorted;
}

/** Returns the high word of a number so that it sorts as the number. */
function getOrderedWord(value: number, highWord: number): number {
  if (Number.isNaN(value)) return 0xffff_ffff;
  return value < 0 ? ~highWord : highWord | 0x8000_0000;
}

/** Returns the order with `changed` rows at their new places. */
function mergePositions(
  values: Numbers,
  sorted: Uint32Array,
  changed: Uint32Array,
): Uint32Array<ArrayBuffer> {
  const last = changed.reduce((most, position) => Math.max(most, position), 0);
  const removed = RowSet.fromPositions(changed, last + 1);
  const others = new Uint32Array(sorted.length);
  let count = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    const position = sorted[at] ?? 0;
    if (removed.has(position)) continue;
    others[count] = position;
    count += 1;
  }
  const compare = createComparison(values);
  changed.sort(compare);
  const merged = new Uint32Array(count + changed.length);
  let from = 0;
  for (const [at, position] of changed.entries()) {
    const end = countFirst(count, (other) => compare(others[other] ?? 0, position) < 0, from);
    merged.set(others.subarray(from, end), from + at);
    merged[end + at] = position;
    from = end;
  }
  merged.set(others.subarray(from, count), from + changed.length);
  return merged;
}
