/** One field of all rows of a list in memory: a number for each row, and each distinct value once. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { valueTest } from '../criteria/condition-meaning.ts';

/** Text as it is stored, several values with a line each; a flag; null where the record has no value. */
export type StoredWord = string | boolean | null;

type Codes = Uint8Array | Uint16Array | Uint32Array;

const leastRows = 1_024;

export class WordColumn {
  readonly #several: boolean;
  #codes: Codes = new Uint8Array(leastRows);
  /** By code. The code 0 is no value. */
  readonly #values: StoredWord[] = [null];
  readonly #codeOf = new Map<StoredWord, number>([[null, 0]]);

  /** `several`: a stored text holds a value in each of its lines. */
  constructor(several: boolean) {
    this.#several = several;
  }

  /** The code of each row, by position; longer than the list has rows. */
  get codes(): Codes {
    return this.#codes;
  }

  /** Codes are smaller. */
  get distinct(): number {
    return this.#values.length;
  }

  get bytes(): number {
    // Strings of one byte a character for the most part, and an entry of a map and of an array.
    const values = this.#values.reduce<number>((sum, value) => sum + String(value).length + 100, 0);
    return this.#codes.byteLength + values;
  }

  set(position: number, value: StoredWord): void {
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.#values.length;
      this.#values.push(value);
      this.#codeOf.set(value, code);
    }
    this.#reserve(position, code);
    this.#codes[position] = code;
  }

  /** Of rows that have exactly this value; undefined where none has had it. */
  codeFor(value: StoredWord): number | undefined {
    return this.#codeOf.get(value);
  }

  /** The values of a row with the code: none, one, or the lines of its text. */
  elements(code: number): readonly (string | boolean)[] {
    const value = this.#values[code] ?? null;
    if (value === null) return [];
    return this.#several && typeof value === 'string' ? value.split('\n') : [value];
  }

  /** By code, whether a row that has it meets the condition, which is about this field. */
  codesThatMeet(condition: Condition): Uint8Array {
    const meets = valueTest(condition);
    return Uint8Array.from(this.#values, (value, code) =>
      meets(this.#several && value !== null ? this.elements(code) : value) ? 1 : 0,
    );
  }

  /** Puts the row that is at `order[position]` at `position`. */
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
    const codes = new kind(Math.max(this.#codes.length, roomFor(position)));
    codes.set(this.#codes);
    this.#codes = codes;
  }
}

/** Room grows by half: rows are seldom added. */
export function roomFor(position: number): number {
  return Math.max(leastRows, Math.ceil((position + 1) * 1.5));
}
