/** A date or a number of all rows of a list in memory. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { roomFor } from './word-column.ts';

export class NumberColumn {
  /** Not a number: no value. */
  #values = new Float64Array(roomFor(0));

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

/** Whether a number meets the condition, which is about a field of numbers; not a number is no value. As `conditionSql` evaluates it. */
export function numberTest(condition: Condition): (value: number) => boolean {
  switch (condition.kind) {
    case 'null':
      return condition.negated ? (value) => !Number.isNaN(value) : Number.isNaN;
    case 'between': {
      const [low, high] = [Number(condition.low), Number(condition.high)];
      return (value) => value >= low && value <= high;
    }
    case 'oneOf': {
      const values = new Set(condition.values.map(Number));
      return (value) => values.has(value) !== condition.negated;
    }
    case 'compared': {
      const asked = Number(condition.value);
      switch (condition.comparison) {
        case '=':
          return (value) => value === asked;
        case '!=':
          return (value) => value !== asked;
        case '<':
          return (value) => value < asked;
        case '>':
          return (value) => value > asked;
        case '<=':
          return (value) => value <= asked;
        case '>=':
          return (value) => value >= asked;
      }
      break;
    }
    case 'like':
      throw new Error(`${condition.name} holds no words`);
  }
}
