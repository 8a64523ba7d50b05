/** A date or a number of all rows of a list in memory. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { rangeOf, valueTest } from '../criteria/condition-meaning.ts';
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
    const meets = valueTest(condition);
    for (const row of rows.positions()) {
      const value = this.#values[row] ?? Number.NaN;
      if (!meets(Number.isNaN(value) ? null : value)) rows.drop(row);
    }
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
