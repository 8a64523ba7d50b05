/**
 * Posting lists: the rows that contain each word of a text column, stored as varint differences. Rows are only appended, in ascending
 * order. A list is a chain of slices in one pool, each twice as long as the previous one.
 */
import { grow } from './word-column.ts';

/** Append-only bytes in blocks of one size, so that growing copies nothing. */

export const blockSize = 1 << 20;
const blockBits = 20;

/** Append-only bytes in blocks of one size, so that growing copies nothing. */
export class BytePool {
  readonly #blocks: Uint8Array[] = [];
  /** Address of the next free byte. */
  #end = 0;

  /** Size of all blocks, including their free bytes. */
  get bytes(): number {
    return this.#blocks.length * blockSize;
  }

  /** Reserves adjacent zero bytes, at most one block, and returns their address. */
  reserve(length: number): number {
    const left = this.#blocks.length * blockSize - this.#end;
    if (left < length) {
      this.#end = this.#blocks.length * blockSize;
      this.#blocks.push(new Uint8Array(blockSize));
    }
    const address = this.#end;
    this.#end += length;
    return address;
  }

  get(address: number): number {
    return this.#blocks[address >>> blockBits]?.[address & (blockSize - 1)] ?? 0;
  }

  set(address: number, byte: number): void {
    const block = this.#blocks[address >>> blockBits];
    if (block !== undefined) block[address & (blockSize - 1)] = byte;
  }

  /** Returns the block of an address, for readers of several bytes. */
  getBlock(address: number): Uint8Array {
    return this.#blocks[address >>> blockBits] ?? new Uint8Array();
  }
}

export const getOffsetInBlock = (address: number): number => address & (blockSize - 1);

/** Bytes of a slice, including the address of the next slice at its end. */
const minSlice = 8;
const maxSlice = 512;
const addressLength = 4;
const minLists = 1_024;

export class PostingLists {
  /** The first row of each word plus one, or 0. Most words of a catalogue occur in one row. */
  #first = new Uint32Array(minLists);
  /** The list of further rows of each word plus one, or 0. */
  #listByWord = new Uint32Array(minLists);
  readonly #pool = new BytePool();
  /** For each list: its first address, its next free address, the end of its last slice, its last row, and the size of that slice. */
  #heads = new Uint32Array(minLists);
  #tails = new Uint32Array(minLists);
  #ends = new Uint32Array(minLists);
  #last = new Uint32Array(minLists);
  #lengths = new Uint16Array(minLists);
  #lists = 0;

  get bytes(): number {
    const numbers =
      2 * this.#first.byteLength + 4 * this.#heads.byteLength + this.#lengths.byteLength;
    return this.#pool.bytes + numbers;
  }

  /** Adds a row to a word. The row must not be less than the last row of the word, and is ignored when it equals it. */
  append(word: number, row: number): void {
    if (word >= this.#first.length) {
      this.#first = grow(this.#first, word);
      this.#listByWord = grow(this.#listByWord, word);
    }
    const first = this.#first[word] ?? 0;
    if (first === 0) {
      this.#first[word] = row + 1;
      return;
    }
    const list = (this.#listByWord[word] ?? 0) - 1;
    const last = list < 0 ? first - 1 : (this.#last[list] ?? 0);
    if (last === row) return;
    this.#write(list < 0 ? this.#begin(word) : list, row - last);
    this.#last[(this.#listByWord[word] ?? 1) - 1] = row;
  }

  /** Calls `visit` with each row that contains the word, ascending. */
  forEach(word: number, visit: (row: number) => void): void {
    const first = this.#first[word] ?? 0;
    if (first === 0) return;
    visit(first - 1);
    const list = (this.#listByWord[word] ?? 0) - 1;
    if (list < 0) return;
    const tail = this.#tails[list] ?? 0;
    let address = this.#heads[list] ?? 0;
    let row = first - 1;
    let difference = 0;
    let shift = 0;
    for (let length = minSlice; ; length = Math.min(length * 2, maxSlice)) {
      const block = this.#pool.getBlock(address);
      const full = address + length - addressLength;
      const isLast = tail >= address && tail <= full;
      const end = getOffsetInBlock(address) + (isLast ? tail : full) - address;
      for (let at = getOffsetInBlock(address); at < end; at += 1) {
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
      address = readAddress(block, end);
    }
  }

  #begin(word: number): number {
    const list = this.#lists;
    if (list === this.#heads.length) {
      this.#heads = grow(this.#heads, list);
      this.#tails = grow(this.#tails, list);
      this.#ends = grow(this.#ends, list);
      this.#last = grow(this.#last, list);
      this.#lengths = grow(this.#lengths, list);
    }
    const address = this.#pool.reserve(minSlice);
    this.#heads[list] = address;
    this.#tails[list] = address;
    this.#ends[list] = address + minSlice - addressLength;
    this.#lengths[list] = minSlice;
    this.#lists += 1;
    this.#listByWord[word] = list + 1;
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
      const length = Math.min((this.#lengths[list] ?? minSlice) * 2, maxSlice);
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

function readAddress(block: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = block.subarray(at, at + addressLength);
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}
