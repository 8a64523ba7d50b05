/** The values of a date or number field for all rows of a list in memory. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { createValueTest, toNumberRange } from '../criteria/condition-meaning.ts';
import { RowSet } from './row-set.ts';
import { type PageInOrder, ValueOrder } from './value-order.ts';
import { getCapacity, grow } from './word-column.ts';

/** A larger share of the rows is compared as fast as it is marked. */
const maxMarkedShare = 0.25;

export class NumberColumn {
  /** NaN is a missing value. */
  #values = new Float64Array(getCapacity(0));
  readonly #order: ValueOrder | null;

  /** @param isOrdered - Keeps the order of the rows, which takes four bytes for each. */
  constructor(isOrdered = false) {
    this.#order = isOrdered ? new ValueOrder() : null;
  }

  /** Removes the rows that do not match the condition. */
  filter(condition: Condition, rows: RowSet): void {
    const range = toNumberRange(condition);
    if (range !== null) {
      const found = this.#order?.range(this.#values, range);
      if (found === undefined || found.length > rows.rows * maxMarkedShare)
        rows.intersectRange(this.#values, ...range);
      else rows.intersect(RowSet.fromPositions(found, rows.rows));
      return;
    }
    const meets = createValueTest(condition);
    for (const row of rows.positions()) {
      const value = this.#values[row] ?? Number.NaN;
      if (!meets(Number.isNaN(value) ? null : value)) rows.delete(row);
    }
  }

  /** Returns the positions of a page of the rows, or null when the column cannot find it quickly. */
  page(rows: RowSet, page: PageInOrder): readonly number[] | null {
    return this.#order?.page(this.#values, rows, page) ?? null;
  }

  /** Values by position. The array is longer than the list. */
  get values(): Float64Array {
    return this.#values;
  }

  get bytes(): number {
    return this.#values.byteLength + (this.#order?.bytes ?? 0);
  }

  set(position: number, value: number | null): void {
    if (position >= this.#values.length) this.#values = grow(this.#values, position);
    this.#values[position] = value ?? Number.NaN;
    this.#order?.change(position);
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    const before = this.#values;
    const values = before.slice();
    for (const [position, from] of order.entries()) values[position] = before[from] ?? Number.NaN;
    this.#values = values;
    for (const [position, from] of order.entries())
      if (position !== from) this.#order?.change(position);
  }
}
