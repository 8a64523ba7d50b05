/** The values of a text or flag field for all rows of a list in memory: the distinct values, and a code for each row. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { createValueTest } from '../criteria/condition-meaning.ts';

/** A stored text, in which each line is a value of a field of several values; a flag; or null. */
export type StoredWord = string | boolean | null;

type Codes = Uint8Array | Uint16Array | Uint32Array;

const minRows = 1_024;

export class WordColumn {
  readonly #several: boolean;
  #codes: Codes = new Uint8Array(minRows);
  /** Values by code. Code 0 is null. */
  readonly #values: StoredWord[] = [null];
  readonly #codeByValue = new Map<StoredWord, number>([[null, 0]]);

  /** @param several each line of a stored text is a value */
  constructor(several: boolean) {
    this.#several = several;
  }

  /** Codes by position. The array is longer than the list. */
  get codes(): Codes {
    return this.#codes;
  }

  /** Count of distinct values. Every code is smaller. */
  get distinct(): number {
    return this.#values.length;
  }

  get bytes(): number {
    // Estimates one byte for each character, and 100 bytes for the entries of the map and the array.
    const values = this.#values.reduce<number>((sum, value) => sum + String(value).length + 100, 0);
    return this.#codes.byteLength + values;
  }

  set(position: number, value: StoredWord): void {
    let code = this.#codeByValue.get(value);
    if (code === undefined) {
      code = this.#values.length;
      this.#values.push(value);
      this.#codeByValue.set(value, code);
    }
    this.#reserve(position, code);
    this.#codes[position] = code;
  }

  /** Returns the code of exactly this value, or undefined. */
  findCode(value: StoredWord): number | undefined {
    return this.#codeByValue.get(value);
  }

  /** Returns the values of a code: none, one, or the lines of its text. */
  getElements(code: number): readonly (string | boolean)[] {
    const value = this.#values[code] ?? null;
    if (value === null) return [];
    return this.#several && typeof value === 'string' ? value.split('\n') : [value];
  }

  /** Returns the distinct texts, and each line of those of several values. */
  listTexts(): readonly string[] {
    const elements = this.#values.flatMap((_, code) => this.getElements(code));
    return [...new Set(elements)].filter((element) => typeof element === 'string');
  }

  /** Returns 1 for each code whose value matches a condition on this field, and 0 for the others. */
  matchCodes(condition: Condition): Uint8Array {
    const meets = createValueTest(condition);
    return Uint8Array.from(this.#values, (value, code) =>
      meets(this.#several && value !== null ? this.getElements(code) : value) ? 1 : 0,
    );
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    const before = this.#codes;
    const codes = before.slice();
    for (const [position, from] of order.entries()) codes[position] = before[from] ?? 0;
    this.#codes = codes;
  }

  #reserve(position: number, code: number): void {
    const width = code < 0x100 ? Uint8Array : code < 0x1_0000 ? Uint16Array : Uint32Array;
    const wider = width.BYTES_PER_ELEMENT > this.#codes.BYTES_PER_ELEMENT;
    if (!wider && position < this.#codes.length) return;
    const kind = wider ? width : (this.#codes.constructor as typeof width);
    const codes = new kind(Math.max(this.#codes.length, getCapacity(position)));
    codes.set(this.#codes);
    this.#codes = codes;
  }
}

/** Returns a capacity for the position and half as many more, because rows are seldom added. */
export function getCapacity(position: number): number {
  return Math.max(minRows, Math.ceil((position + 1) * 1.5));
}

/** Copies the numbers to an array with the capacity for this position. */
export function grow<Numbers extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  numbers: Numbers,
  position: number,
): Numbers {
  const wider = new (numbers.constructor as new (length: number) => Numbers)(getCapacity(position));
  wider.set(numbers);
  return wider;
}
