/** The values of a date or number field for all rows of a list in memory. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { createValueTest, toNumberRange } from '../criteria/condition-meaning.ts';
import type { RowSet } from './row-set.ts';
import { getCapacity } from './word-column.ts';

export class NumberColumn {
  /** NaN is a missing value. */
  #values = new Float64Array(getCapacity(0));

  /** Removes the rows that do not match the condition. */
  filter(condition: Condition, rows: RowSet): void {
    const range = toNumberRange(condition);
    if (range !== null) {
      rows.intersectRange(this.#values, ...range);
      return;
    }
    const meets = createValueTest(condition);
    for (const row of rows.positions()) {
      const value = this.#values[row] ?? Number.NaN;
      if (!meets(Number.isNaN(value) ? null : value)) rows.delete(row);
    }
  }

  /** Values by position. The array is longer than the list. */
  get values(): Float64Array {
    return this.#values;
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  set(position: number, value: number | null): void {
    if (position >= this.#values.length) {
      const values = new Float64Array(getCapacity(position));
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[position] = value ?? Number.NaN;
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    const before = this.#values;
    const values = before.slice();
    for (const [position, from] of order.entries()) values[position] = before[from] ?? Number.NaN;
    this.#values = values;
  }
}
