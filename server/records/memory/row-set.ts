/** A set of rows of a list in memory, as one bit for each position. */

/** Sets of so few rows are intersected by their positions, in a tenth of the time. */
const maxFew = 2_000;

export class RowSet {
  readonly #words: Uint32Array;
  /** Count of rows of the list. Every position is smaller. */
  readonly rows: number;
  /** Known until the set changes. */
  #size: number | null = null;
  #positions: Uint32Array | null = null;

  constructor(rows: number) {
    this.rows = rows;
    this.#words = new Uint32Array(Math.ceil(rows / 32));
  }

  /** Creates the set of positions at which `bytes` is not 0. */
  static fromBytes(bytes: Uint8Array, rows: number): RowSet {
    const set = new RowSet(rows);
    for (let at = 0; at < set.#words.length; at += 1) {
      let word = 0;
      const from = at * 32;
      const bits = Math.min(32, rows - from);
      for (let bit = 0; bit < bits; bit += 1) word |= Number(bytes[from + bit] !== 0) << bit;
      set.#words[at] = word;
    }
    return set;
  }

  /** @param positions - Distinct, in any order. */
  static fromPositions(positions: Uint32Array, rows: number): RowSet {
    const set = new RowSet(rows);
    // An iterator takes several times as long.
    for (let at = 0; at < positions.length; at += 1) set.add(positions[at] ?? 0);
    set.#size = positions.length;
    if (positions.length <= maxFew) set.#positions = positions.toSorted();
    return set;
  }

  /** @param rows - At least as many rows as the list has. */
  copy(rows = this.rows): RowSet {
    const set = new RowSet(rows);
    set.#words.set(this.#words);
    return set;
  }

  add(position: number): void {
    this.#forget();
    const at = position >>> 5;
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (position & 31));
  }

  delete(position: number): void {
    this.#forget();
    const at = position >>> 5;
    this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (position & 31));
  }

  has(position: number): boolean {
    return (((this.#words[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
  }

  /** Removes the rows that `other`, a set of the same list, does not contain. */
  intersect(other: RowSet): void {
    const few = other.#positions;
    if (few !== null && few.length <= maxFew) {
      const kept = few.filter((position) => this.has(position));
      this.#words.fill(0);
      for (const position of kept) this.add(position);
      this.#size = kept.length;
      this.#positions = kept;
      return;
    }
    this.#forget();
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) & (other.#words[at] ?? 0);
  }

  /** Removes the rows whose value is NaN, below `low` or above `high`. */
  intersectRange(values: Float64Array, low: number, high: number): void {
    this.#forget();
    // Repeats the loop of `intersectCodes`, because a function call for each row takes several times as long.
    for (let at = 0; at < this.#words.length; at += 1) {
      const mask = this.#words[at] ?? 0;
      if (mask === 0) continue;
      let word = 0;
      const from = at * 32;
      const bits = Math.min(32, this.rows - from);
      for (let bit = 0; bit < bits; bit += 1) {
        const value = values[from + bit] ?? Number.NaN;
        // A branch would be predicted wrongly for every few rows, which takes seven times as long.
        word |= (Number(value >= low) & Number(value <= high)) << bit;
      }
      this.#words[at] = word & mask;
    }
  }

  /** Removes the rows whose code is not marked with a 1. */
  intersectCodes(codes: Uint8Array | Uint16Array | Uint32Array, marks: Uint8Array): void {
    this.#forget();
    for (let at = 0; at < this.#words.length; at += 1) {
      const mask = this.#words[at] ?? 0;
      if (mask === 0) continue;
      let word = 0;
      const from = at * 32;
      const bits = Math.min(32, this.rows - from);
      for (let bit = 0; bit < bits; bit += 1) word |= (marks[codes[from + bit] ?? 0] ?? 0) << bit;
      this.#words[at] = word & mask;
    }
  }

  /** Removes the rows that `other` contains. */
  subtract(other: RowSet): void {
    this.#forget();
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) & ~(other.#words[at] ?? 0);
  }

  /** Adds the rows that `other` contains. */
  addAll(other: RowSet): void {
    this.#forget();
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) | (other.#words[at] ?? 0);
  }

  get size(): number {
    if (this.#size !== null) return this.#size;
    let count = 0;
    for (let at = 0; at < this.#words.length; at += 1) count += countBits(this.#words[at] ?? 0);
    this.#size = count;
    return count;
  }

  /** Calls `visit` with each position in ascending order. */
  forEach(visit: (position: number) => void): void {
    for (let at = 0; at < this.#words.length; at += 1)
      for (let word = this.#words[at] ?? 0; word !== 0; word &= word - 1)
        visit(at * 32 + 31 - Math.clz32(word & -word));
  }

  /** Returns the positions in ascending order, in an array that must not be changed. */
  positions(): Uint32Array {
    if (this.#positions !== null) return this.#positions;
    const found = new Uint32Array(this.size);
    let next = 0;
    // Repeats the loop of `forEach`, because a function call for each row takes five times as long.
    for (let at = 0; at < this.#words.length; at += 1)
      for (let word = this.#words[at] ?? 0; word !== 0; word &= word - 1) {
        found[next] = at * 32 + 31 - Math.clz32(word & -word);
        next += 1;
      }
    this.#positions = found;
    return found;
  }

  #forget(): void {
    this.#size = null;
    this.#positions = null;
  }
}

/** Counts the bits that are set in a word of 32 bits. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const quads = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((quads + (quads >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
