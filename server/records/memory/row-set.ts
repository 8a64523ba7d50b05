/** A set of rows of a list in memory, as one bit for each position. */

export class RowSet {
  readonly #words: Uint32Array;
  /** Count of rows of the list. Every position is smaller. */
  readonly rows: number;

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

  copy(): RowSet {
    const set = new RowSet(this.rows);
    set.#words.set(this.#words);
    return set;
  }

  add(position: number): void {
    const at = position >>> 5;
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (position & 31));
  }

  delete(position: number): void {
    const at = position >>> 5;
    this.#words[at] = (this.#words[at] ?? 0) & ~(1 << (position & 31));
  }

  has(position: number): boolean {
    return (((this.#words[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
  }

  /** Removes the rows that `other`, a set of the same list, does not contain. */
  intersect(other: RowSet): void {
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) & (other.#words[at] ?? 0);
  }

  /** Removes the rows whose value is NaN, below `low` or above `high`. */
  intersectRange(values: Float64Array, low: number, high: number): void {
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
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) & ~(other.#words[at] ?? 0);
  }

  /** Adds the rows that `other` contains. */
  addAll(other: RowSet): void {
    for (let at = 0; at < this.#words.length; at += 1)
      this.#words[at] = (this.#words[at] ?? 0) | (other.#words[at] ?? 0);
  }

  get size(): number {
    let count = 0;
    for (let at = 0; at < this.#words.length; at += 1) count += countBits(this.#words[at] ?? 0);
    return count;
  }

  /** Calls `visit` with each position, in ascending order. */
  forEach(visit: (position: number) => void): void {
    for (let at = 0; at < this.#words.length; at += 1)
      for (let word = this.#words[at] ?? 0; word !== 0; word &= word - 1)
        visit(at * 32 + 31 - Math.clz32(word & -word));
  }

  /** Returns the positions in ascending order. */
  positions(): Uint32Array {
    const found = new Uint32Array(this.size);
    let next = 0;
    this.forEach((position) => {
      found[next] = position;
      next += 1;
    });
    return found;
  }
}

/** Counts the bits that are set in a word of 32 bits. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const quads = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((quads + (quads >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
