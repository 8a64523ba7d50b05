/**
 * For each word of a text column the rows that contain it, as differences in as few bytes as they need. Rows are only ever appended,
 * in ascending order, so that a list grows at its end: in chained slices of one pool, each twice as long as the one before.
 */
import { BytePool, placeInBlock } from './byte-pool.ts';

/** Bytes of a slice, the address of the next one at its end included. */
const leastSlice = 8;
const longestSlice = 512;
const addressLength = 4;
const leastLists = 1_024;

export class PostingLists {
  /** By word: the first row and one, 0 without any; most words of a catalogue stand in one row. */
  #first = new Uint32Array(leastLists);
  /** By word: the number of the list of its further rows and one. */
  #listOf = new Uint32Array(leastLists);
  readonly #pool = new BytePool();
  /** By list: where it begins, its next free byte, where its last slice ends, its last row, and how long that slice is. */
  #heads = new Uint32Array(leastLists);
  #tails = new Uint32Array(leastLists);
  #ends = new Uint32Array(leastLists);
  #last = new Uint32Array(leastLists);
  #lengths = new Uint16Array(leastLists);
  #lists = 0;

  get bytes(): number {
    const numbers =
      2 * this.#first.byteLength + 4 * this.#heads.byteLength + this.#lengths.byteLength;
    return this.#pool.bytes + numbers;
  }

  /** The row is not lower than any that the word has. A row that is there already is not added again. */
  append(word: number, row: number): void {
    if (word >= this.#first.length) {
      this.#first = widened(this.#first, word);
      this.#listOf = widened(this.#listOf, word);
    }
    const first = this.#first[word] ?? 0;
    if (first === 0) {
      this.#first[word] = row + 1;
      return;
    }
    const list = (this.#listOf[word] ?? 0) - 1;
    const last = list < 0 ? first - 1 : (this.#last[list] ?? 0);
    if (last === row) return;
    this.#write(list < 0 ? this.#begin(word) : list, row - last);
    this.#last[(this.#listOf[word] ?? 1) - 1] = row;
  }

  /** Calls `visit` with each row that contains the word, ascending. */
  each(word: number, visit: (row: number) => void): void {
    const first = this.#first[word] ?? 0;
    if (first === 0) return;
    visit(first - 1);
    const list = (this.#listOf[word] ?? 0) - 1;
    if (list < 0) return;
    const tail = this.#tails[list] ?? 0;
    let address = this.#heads[list] ?? 0;
    let row = first - 1;
    let difference = 0;
    let shift = 0;
    for (let length = leastSlice; ; length = Math.min(length * 2, longestSlice)) {
      const block = this.#pool.blockOf(address);
      const full = address + length - addressLength;
      const isLast = tail >= address && tail <= full;
      const end = placeInBlock(address) + (isLast ? tail : full) - address;
      for (let at = placeInBlock(address); at < end; at += 1) {
        const byte = block[at] ?? 0;
        difference |= (byte & 0x7f) << shift;
        shift += 7;
        if (byte >= 0x80) continue;
        row += difference;
        visit(row);
        difference = 0;
        shift = 0;
      }
      if (isLast) return;
      address = addressAt(block, end);
    }
  }

  #begin(word: number): number {
    const list = this.#lists;
    if (list === this.#heads.length) {
      this.#heads = widened(this.#heads, list);
      this.#tails = widened(this.#tails, list);
      this.#ends = widened(this.#ends, list);
      this.#last = widened(this.#last, list);
      const lengths = new Uint16Array(this.#last.length);
      lengths.set(this.#lengths);
      this.#lengths = lengths;
    }
    const address = this.#pool.reserve(leastSlice);
    this.#heads[list] = address;
    this.#tails[list] = address;
    this.#ends[list] = address + leastSlice - addressLength;
    this.#lengths[list] = leastSlice;
    this.#lists += 1;
    this.#listOf[word] = list + 1;
    return list;
  }

  #write(list: number, difference: number): void {
    let rest = difference;
    for (; rest >= 0x80; rest >>>= 7) this.#writeByte(list, (rest & 0x7f) | 0x80);
    this.#writeByte(list, rest);
  }

  #writeByte(list: number, byte: number): void {
    let tail = this.#tails[list] ?? 0;
    const end = this.#ends[list] ?? 0;
    if (tail === end) {
      const length = Math.min((this.#lengths[list] ?? leastSlice) * 2, longestSlice);
      tail = this.#pool.reserve(length);
      for (let part = 0; part < addressLength; part += 1)
        this.#pool.set(end + part, (tail >>> (8 * part)) & 0xff);
      this.#ends[list] = tail + length - addressLength;
      this.#lengths[list] = length;
    }
    this.#pool.set(tail, byte);
    this.#tails[list] = tail + 1;
  }
}

function addressAt(block: Uint8Array, at: number): number {
  const [one = 0, two = 0, three = 0, four = 0] = block.subarray(at, at + addressLength);
  return (one | (two << 8) | (three << 16) | (four << 24)) >>> 0;
}

/** With room for `place` and half as many more. */
function widened(numbers: Uint32Array, place: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(Math.ceil((place + 1) * 1.5));
  wider.set(numbers);
  return wider;
}
