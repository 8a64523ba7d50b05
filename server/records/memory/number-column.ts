/** A date or a number of all rows of a list in memory. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { RowSet } from './row-set.ts';
import { roomFor } from './word-column.ts';

export class NumberColumn {
  /** Not a number: no value. */
  #values = new Float64Array(roomFor(0));

  /** Keeps the rows that meet a condition. */
  keep(condition: Condition, rows: RowSet): void {
    const range = rangeOf(condition);
    if (range !== null) {
      rows.keepBetween(this.#values, ...range);
      return;
    }
    const meets = numberTest(condition);
    for (const row of rows.positions()) if (!meets(this.#values[row] ?? Number.NaN)) rows.drop(row);
  }

  /** By position; longer than the list has rows. */
  get values(): Float64Array {
    return this.#values;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  set(position: number, value: number | null): void {
    if (position >= this.#values.length) {
      const values = new Float64Array(roomFor(position));
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[position] = value ?? Number.NaN;
  }

  /** Puts the row that is at `order[position]` at `position`. */
  reorder(order: Uint32Array): void {
    const before = this.#values;
    const values = before.slice();
    for (const [position, from] of order.entries()) values[position] = before[from] ?? Number.NaN;
    this.#values = values;
  }
}

/** The lowest and the highest number that meet the condition; null when it is not a range. */
function rangeOf(condition: Condition): readonly [low: number, high: number] | null {
  if (condition.kind === 'between') return [Number(condition.low), Number(condition.high)];
  if (condition.kind !== 'compared') return null;
  const asked = Number(condition.value);
  switch (condition.comparison) {
    case '=':
      return [asked, asked];
    case '<=':
      return [Number.NEGATIVE_INFINITY, asked];
    case '>=':
      return [asked, Number.POSITIVE_INFINITY];
    case '<':
      return [Number.NEGATIVE_INFINITY, nextNumber(asked, -1)];
    case '>':
      return [nextNumber(asked, 1), Number.POSITIVE_INFINITY];
    case '!=':
      return null;
  }
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The number that is next to this one, above or below. */
function nextNumber(number: number, direction: 1 | -1): number {
  // No row has such a value.
  if (!Number.isFinite(number)) return number;
  if (number === 0) return direction * Number.MIN_VALUE;
  float[0] = number;
  bits[0] = (bits[0] ?? 0n) + BigInt(number > 0 ? direction : -direction);
  return float[0];
}

/** Whether a number meets a condition that is not a range, about a field of numbers; not a number is no value. As `conditionSql` evaluates it. */
function numberTest(condition: Condition): (value: number) => boolean {
  switch (condition.kind) {
    case 'null':
      return condition.negated ? (value) => !Number.isNaN(value) : Number.isNaN;
    case 'oneOf': {
      const values = new Set(condition.values.map(Number));
      return (value) => values.has(value) !== condition.negated;
    }
    case 'compared': {
      const asked = Number(condition.value);
      return (value) => value !== asked;
    }
    case 'between':
    case 'like':
      throw new Error(`${condition.name} is not tested number by number: ${condition.kind}`);
  }
}
