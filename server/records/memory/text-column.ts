/**
 * The folded text of one column of all rows of a list in memory: each distinct word once, each row as a sequence of words, and for
 * each word the rows that contain it. A text is looked for among the words, not among the rows. See docs/decisions/063.
 *
 * Words are separated by single spaces, lines by newlines; nothing else separates, so that every text can be put together again.
 */

import type { Edge, TextPattern } from '../criteria/text-pattern.ts';
import { BytePool, blockSize, placeInBlock } from './byte-pool.ts';
import { PostingLists } from './posting-lists.ts';
import { RowSet } from './row-set.ts';
import { TokenVocabulary } from './token-vocabulary.ts';
import { roomFor } from './word-column.ts';

const space = 0x20;
const newline = 0x0a;
/** In a sequence, the end of a line. Words follow from 1 on. */
const lineEnd = 0;
/** Rows in which words are looked for one after the other, at most: about 50 ms. */
const maxReadRows = 300_000;

type Words = Extract<TextPattern, { readonly kind: 'words' }>;

export class TextColumn {
  readonly #inOrder: boolean;
  readonly #vocabulary = new TokenVocabulary();
  readonly #postings = new PostingLists();
  readonly #sequences = new BytePool();
  /** By version of a row, in the order in which they were written: where its sequence begins, and the row's position. */
  #addresses = new Uint32Array(roomFor(0));
  #positions = new Uint32Array(roomFor(0));
  #versions = 0;
  /** By position: the row's newest version and one. */
  #newest = new Uint32Array(roomFor(0));
  #held = 0;
  #isWhole = true;
  #scratch = Buffer.alloc(4_096);
  #codes = new Uint32Array(256);

  /** `inOrder`: the order of the words is kept, for phrases and edges. Without it, only texts within one word are found. */
  constructor(inOrder: boolean) {
    this.#inOrder = inOrder;
  }

  /** How many texts have been written. */
  get versions(): number {
    return this.#versions;
  }

  /** Of them, the share that was written again since. */
  get staleShare(): number {
    return this.#versions === 0 ? 0 : 1 - this.#held / this.#versions;
  }

  get bytes(): number {
    const numbers =
      this.#addresses.byteLength + this.#positions.byteLength + this.#newest.byteLength;
    return this.#vocabulary.bytes + this.#postings.bytes + this.#sequences.bytes + numbers;
  }

  /** False: a text was too long to be held, and nothing can be found here. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** `null`: the row has no text. */
  write(position: number, text: string | null): void {
    const version = this.#versions;
    if (version >= this.#positions.length) {
      this.#positions = grown(this.#positions, version);
      if (this.#inOrder) this.#addresses = grown(this.#addresses, version);
    }
    if (position >= this.#newest.length) this.#newest = grown(this.#newest, position);
    const length = text === null ? 0 : this.#read(text);
    if (this.#inOrder) this.#addresses[version] = this.#keepSequence(length);
    this.#positions[version] = position;
    for (let at = 0; at < length; at += 1) {
      const code = this.#codes[at] ?? 0;
      if (code !== lineEnd) this.#postings.append(code - 1, version);
    }
    if (this.#newest[position] === 0) this.#held += 1;
    this.#newest[position] = version + 1;
    this.#versions += 1;
  }

  /**
   * Rows whose text meets the pattern, of positions below `rows`. Null: it asks for an order that is not kept, or too many rows would
   * have to be read for it.
   */
  find(pattern: TextPattern, rows: number): RowSet | null {
    if (!this.#isWhole) return null;
    if (pattern.kind === 'any') return this.#inOrder ? this.#rowsWithText(rows) : null;
    const { words, begins, ends } = pattern;
    const codes = words.map(({ text, place }) => this.#vocabulary.find(text, place));
    const [first = []] = codes;
    if (codes.length === 1 && begins === 'none' && ends === 'none')
      return this.#rowsWithAny(first, rows);
    if (!this.#inOrder) return null;
    const candidates = this.#rowsWithAll(codes, rows);
    if (candidates.size > maxReadRows) return null;
    return this.#rowsInTurn(candidates, codes, pattern);
  }

  /** As it was written; null where the row has none. */
  textAt(position: number): string | null {
    const length = this.#readSequence(position);
    if (length === 0) return null;
    let text = '';
    for (let at = 0; at < length; at += 1) {
      const code = this.#codes[at] ?? lineEnd;
      if (at > 0 && code !== lineEnd && this.#codes[at - 1] !== lineEnd) text += ' ';
      text += code === lineEnd ? '\n' : this.#vocabulary.textOf(code - 1);
    }
    return text;
  }

  /** Puts the row that is at `order[position]` at `position`. */
  reorder(order: Uint32Array): void {
    const before = this.#newest.slice();
    if (order.length > this.#newest.length) this.#newest = grown(this.#newest, order.length);
    for (const [position, from] of order.entries()) {
      const version = before[from] ?? 0;
      this.#newest[position] = version;
      if (version > 0) this.#positions[version - 1] = position;
    }
  }

  #rowsWithText(rows: number): RowSet {
    const found = new RowSet(rows);
    for (let position = 0; position < Math.min(rows, this.#newest.length); position += 1) {
      const version = this.#newest[position] ?? 0;
      if (version > 0 && this.#lengthOf(this.#addresses[version - 1] ?? 0) > 0) found.add(position);
    }
    return found;
  }

  #rowsWithAny(codes: readonly number[], rows: number): RowSet {
    const found = new RowSet(rows);
    const positions = this.#positions;
    const newest = this.#newest;
    const visit = (version: number) => {
      const position = positions[version] ?? 0;
      if (newest[position] === version + 1 && position < rows) found.add(position);
    };
    for (const code of codes) this.#postings.each(code, visit);
    return found;
  }

  #rowsWithAll(codes: readonly (readonly number[])[], rows: number): RowSet {
    // Words that are few stand in few rows, for the most part: sets of those are intersected first.
    const [first = [], ...others] = codes.toSorted((a, b) => a.length - b.length);
    const found = this.#rowsWithAny(first, rows);
    for (const other of others) found.keep(this.#rowsWithAny(other, rows));
    return found;
  }

  /** Of the candidates those in which the words follow one another, at the edges that the pattern asks for. */
  #rowsInTurn(
    candidates: RowSet,
    codes: readonly (readonly number[])[],
    { begins, ends }: Words,
  ): RowSet {
    const wanted = codes.map((own) => {
      const flags = new Uint8Array(this.#vocabulary.count + 1);
      for (const code of own) flags[code + 1] = 1;
      return flags;
    });
    const found = new RowSet(candidates.rows);
    for (const position of candidates.positions()) {
      const length = this.#readSequence(position);
      const last = length - wanted.length;
      for (let at = 0; at <= last; at += 1) {
        if (!this.#isInTurn(at, wanted)) continue;
        if (!this.#isEdge(at - 1, -1, begins)) continue;
        if (!this.#isEdge(at + wanted.length, length, ends)) continue;
        found.add(position);
        break;
      }
    }
    return found;
  }

  #isInTurn(from: number, wanted: readonly Uint8Array[]): boolean {
    for (let at = 0; at < wanted.length; at += 1)
      if (wanted[at]?.[this.#codes[from + at] ?? lineEnd] !== 1) return false;
    return true;
  }

  /** Whether the place before or behind the words is such an edge; `outside`: beyond the sequence. */
  #isEdge(at: number, outside: number, edge: Edge): boolean {
    if (edge === 'none' || at === outside) return true;
    return edge === 'line' && this.#codes[at] === lineEnd;
  }

  /** Writes the text's codes to `#codes`; how many they are. */
  #read(text: string): number {
    // A character of a string takes at most three bytes.
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 4);
    const end = this.#scratch.write(text);
    const bytes = this.#scratch;
    let length = 0;
    for (let from = 0, at = 0; at <= end; at += 1) {
      const byte = at === end ? newline : bytes[at];
      if (byte !== space && byte !== newline) continue;
      // A line that is empty has no word, and its end says so; between two spaces is a word without letters.
      const isLine = byte === newline && from === at && (from === 0 || bytes[from - 1] === newline);
      if (!isLine) length = this.#push(length, this.#vocabulary.codeOf(bytes, from, at) + 1);
      if (byte === newline && at < end) length = this.#push(length, lineEnd);
      from = at + 1;
    }
    // A text without any letter is a text all the same.
    return length === 0 ? this.#push(0, this.#vocabulary.codeOf(bytes, 0, 0) + 1) : length;
  }

  #push(length: number, code: number): number {
    if (length === this.#codes.length) this.#codes = grown(this.#codes, length);
    this.#codes[length] = code;
    return length + 1;
  }

  /** The address of `#codes` as bytes: their number of bytes, then each code. */
  #keepSequence(length: number): number {
    let bytes = 0;
    for (let at = 0; at < length; at += 1) bytes += bytesOf(this.#codes[at] ?? 0);
    const whole = bytesOf(bytes) + bytes;
    if (whole > blockSize) {
      this.#isWhole = false;
      return this.#keepSequence(0);
    }
    let address = this.#sequences.reserve(whole);
    const start = address;
    const put = (number: number) => {
      let rest = number;
      for (; rest >= 0x80; rest >>>= 7) {
        this.#sequences.set(address, (rest & 0x7f) | 0x80);
        address += 1;
      }
      this.#sequences.set(address, rest);
      address += 1;
    };
    put(bytes);
    for (let at = 0; at < length; at += 1) put(this.#codes[at] ?? 0);
    return start;
  }

  /** In bytes. */
  #lengthOf(address: number): number {
    return this.#sequences.at(address);
  }

  /** Reads the codes of a row into `#codes`; how many they are, 0 for a row without a text. */
  #readSequence(position: number): number {
    const version = this.#newest[position] ?? 0;
    if (version === 0) return 0;
    const address = this.#addresses[version - 1] ?? 0;
    const block = this.#sequences.blockOf(address);
    let at = placeInBlock(address);
    let bytes = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = block[at] ?? 0;
      at += 1;
      bytes |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const end = at + bytes;
    let length = 0;
    for (let code = 0, shift = 0; at < end; at += 1) {
      const byte = block[at] ?? 0;
      code |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      length = this.#push(length, code);
      code = 0;
      shift = 0;
    }
    return length;
  }
}

/** How many bytes a number takes, seven bits each. */
function bytesOf(number: number): number {
  let bytes = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

function grown(numbers: Uint32Array, place: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(roomFor(place));
  wider.set(numbers);
  return wider;
}
