/**
 * An index of the folded texts of one column of a list: a vocabulary of distinct words, each row as a sequence of their codes, and
 * for each word the rows that contain it. A search scans the vocabulary, not the rows. See docs/decisions/063.
 *
 * Single spaces separate words, and newlines separate lines. There are no other separators, so that every text can be restored.
 */

import type { Edge, TextPattern, WordsPattern, WordTest } from '../criteria/text-pattern.ts';
import { BytePool, blockSize, getOffsetInBlock, PostingLists } from './posting-lists.ts';
import { RecentRows } from './recent-rows.ts';
import { RowSet } from './row-set.ts';
import { TokenVocabulary } from './token-vocabulary.ts';
import { getCapacity, grow } from './word-column.ts';

const space = 0x20;
const newline = 0x0a;
/** The code that ends a line in a sequence. Codes of words are increased by one. */
const lineEnd = 0;
/** Maximum of rows whose sequences are compared, which takes about 50 ms. */
const maxReadRows = 300_000;

export class TextColumn {
  readonly #inOrder: boolean;
  readonly #vocabulary = new TokenVocabulary();
  readonly #postings = new PostingLists();
  readonly #sequences = new BytePool();
  /** Address of the sequence and position of the row, by version. Each write of a row creates a version. */
  #addresses = new Uint32Array(getCapacity(0));
  #positions = new Uint32Array(getCapacity(0));
  #versions = 0;
  /** The newest version of the row plus one, by position. */
  #newest = new Uint32Array(getCapacity(0));
  /** The versions that are the newest of their rows. */
  #current = new RowSet(getCapacity(0));
  /** Count of the first versions that each have the position of their own number, as after loading. */
  #inPlace = 0;
  #textCount = 0;
  readonly #recent = new RecentRows();
  #isComplete = true;
  #scratch = Buffer.alloc(4_096);
  #codes = new Uint32Array(256);

  /** @param inOrder stores the order of the words, for phrases and boundaries. Without it, only texts within one word are found. */
  constructor(inOrder: boolean) {
    this.#inOrder = inOrder;
  }

  /** Count of texts that have been written. */
  get versions(): number {
    return this.#versions;
  }

  /** Share of the versions that are outdated, from 0 to 1. */
  get staleShare(): number {
    return this.#versions === 0 ? 0 : 1 - this.#textCount / this.#versions;
  }

  get bytes(): number {
    const numbers =
      this.#addresses.byteLength + this.#positions.byteLength + this.#newest.byteLength;
    const indexes = this.#vocabulary.bytes + this.#postings.bytes + this.#recent.bytes;
    return indexes + this.#sequences.bytes + numbers;
  }

  /** False when a text was too long to be stored. `find` then always returns null. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Sets the text of a row; null for a row without a text. */
  write(position: number, text: string | null): void {
    this.#recent.clear();
    const version = this.#versions;
    if (version >= this.#positions.length) {
      this.#positions = grow(this.#positions, version);
      if (this.#inOrder) this.#addresses = grow(this.#addresses, version);
    }
    if (position >= this.#newest.length) this.#newest = grow(this.#newest, position);
    const length = text === null ? 0 : this.#encode(text);
    if (this.#inOrder) this.#addresses[version] = this.#writeSequence(length);
    this.#positions[version] = position;
    for (let at = 0; at < length; at += 1) {
      const code = this.#codes[at] ?? 0;
      if (code !== lineEnd) this.#postings.append(code - 1, version);
    }
    const replaced = this.#newest[position] ?? 0;
    if (replaced === 0) this.#textCount += 1;
    else this.#current.delete(replaced - 1);
    if (version >= this.#current.rows) this.#current = this.#current.copy(getCapacity(version));
    this.#current.add(version);
    if (this.#inPlace === version && position === version) this.#inPlace += 1;
    this.#newest[position] = version + 1;
    this.#versions += 1;
  }

  /** Returns the rows below position `rows` with the word, which nobody may change. Requires `isComplete`. */
  findWord({ text, anchor }: WordTest, rows: number): RowSet {
    return this.#recent.find(`${rows} ${anchor} ${text}`, () =>
      this.#findRowsWithAny(this.#vocabulary.find(text, anchor), rows),
    );
  }

  /**
   * Returns the rows below position `rows` whose text matches one of the patterns. Returns null when a pattern needs an order of words
   * that is not stored, or too many sequences would have to be compared.
   */
  find(patterns: readonly TextPattern[], rows: number): RowSet | null {
    if (!this.#isComplete) return null;
    const found = new RowSet(rows);
    return patterns.every((pattern) => this.#addMatches(pattern, found)) ? found : null;
  }

  /** Returns false where `find` returns null. */
  #addMatches(pattern: TextPattern, found: RowSet): boolean {
    if (pattern.kind === 'any') {
      if (this.#inOrder) this.#addRowsWithText(found);
      return this.#inOrder;
    }
    const { words, begins, ends } = pattern;
    const [only, ...further] = words;
    if (only !== undefined && further.length === 0 && begins === 'none' && ends === 'none')
      found.addAll(this.findWord(only, found.rows));
    else if (!this.#inOrder) return false;
    else {
      const codes = words.map(({ text, anchor }) => this.#vocabulary.find(text, anchor));
      const [first = []] = codes;
      // A line of one word has few rows.
      const candidates =
        codes.length === 1 && first.length === 1
          ? this.#findPositions(first[0] ?? 0, found.rows)
          : this.#findRowsWithAll(codes, found.rows).positions();
      if (candidates.length > maxReadRows) return false;
      this.#addAdjacent(candidates, codes, pattern, found);
    }
    return true;
  }

  /** Returns true when a text has, or had, a word that contains this one. */
  hasWord(text: string): boolean {
    return this.#vocabulary.has(text);
  }

  /** Returns the number of texts with exactly this word, those that were replaced too. */
  countWord(text: string): number {
    const [code] = this.#vocabulary.find(text, 'exact');
    let count = 0;
    if (code !== undefined) this.#postings.forEach(code, () => (count += 1));
    return count;
  }

  /** Returns true when a text has these words one after another, and no more than `maxRows` texts have all of them. */
  hasSequence(words: readonly string[], maxRows: number): boolean {
    const codes = words.map((word) => this.#vocabulary.find(word, 'exact'));
    if (!this.#inOrder || !this.#isComplete || codes.some(({ length }) => length === 0))
      return false;
    const candidates = this.#findRowsWithAll(codes, this.#newest.length);
    if (candidates.size === 0 || candidates.size > maxRows) return false;
    const found = new RowSet(this.#newest.length);
    this.#addAdjacent(candidates.positions(), codes, { begins: 'none', ends: 'none' }, found);
    return found.size > 0;
  }

  /** Returns the text of a row as it was written, or null. */
  getText(position: number): string | null {
    const length = this.#readSequence(position);
    if (length === 0) return null;
    let text = '';
    for (let at = 0; at < length; at += 1) {
      const code = this.#codes[at] ?? lineEnd;
      if (at > 0 && code !== lineEnd && this.#codes[at - 1] !== lineEnd) text += ' ';
      text += code === lineEnd ? '\n' : this.#vocabulary.getText(code - 1);
    }
    return text;
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    this.#recent.clear();
    const before = this.#newest.slice();
    if (order.length > this.#newest.length) this.#newest = grow(this.#newest, order.length);
    for (const [position, from] of order.entries()) {
      const version = before[from] ?? 0;
      if (position !== from) this.#inPlace = Math.min(this.#inPlace, position);
      this.#newest[position] = version;
      if (version > 0) this.#positions[version - 1] = position;
    }
  }

  #addRowsWithText(found: RowSet): void {
    for (let position = 0; position < Math.min(found.rows, this.#newest.length); position += 1) {
      const version = this.#newest[position] ?? 0;
      if (version > 0 && this.#readLength(this.#addresses[version - 1] ?? 0) > 0)
        found.add(position);
    }
  }

  #findRowsWithAny(codes: readonly number[], rows: number): RowSet {
    const found = new RowSet(rows);
    const inPlace = Math.min(this.#inPlace, rows);
    let moved: RowSet | null = null;
    const add = (version: number) => {
      if (version < inPlace) found.add(version);
      else {
        const position = this.#positions[version] ?? 0;
        if (this.#newest[position] !== version + 1 || position >= rows) return;
        moved ??= new RowSet(rows);
        moved.add(position);
      }
    };
    for (const code of codes) this.#postings.forEach(code, add);
    found.intersect(this.#current);
    if (moved !== null) found.addAll(moved);
    return found;
  }

  /** Returns the positions below `rows` of the rows that contain the word. */
  #findPositions(code: number, rows: number): readonly number[] {
    const found: number[] = [];
    this.#postings.forEach(code, (version) => {
      const position = this.#positions[version] ?? 0;
      if (this.#newest[position] === version + 1 && position < rows) found.push(position);
    });
    return found;
  }

  #findRowsWithAll(codes: readonly (readonly number[])[], rows: number): RowSet {
    const [first = [], ...others] = codes;
    const found = this.#findRowsWithAny(first, rows);
    for (const other of others) found.intersect(this.#findRowsWithAny(other, rows));
    return found;
  }

  /** Adds the candidates with adjacent words at the boundaries of the pattern. */
  #addAdjacent(
    candidates: Iterable<number>,
    codes: readonly (readonly number[])[],
    { begins, ends }: Pick<WordsPattern, 'begins' | 'ends'>,
    found: RowSet,
  ): void {
    const tests = codes.map((own) => this.#createCodeTest(own));
    for (const position of candidates) {
      const length = this.#readSequence(position);
      const last = length - tests.length;
      for (let at = 0; at <= last; at += 1) {
        if (!this.#matchesAt(at, tests)) continue;
        if (!this.#isEdge(at - 1, -1, begins)) continue;
        if (!this.#isEdge(at + tests.length, length, ends)) continue;
        found.add(position);
        break;
      }
    }
  }

  /** Returns a test of the increased codes of a sequence. */
  #createCodeTest(codes: readonly number[]): (code: number) => boolean {
    const [only = 0] = codes;
    if (codes.length === 1) return (code) => code === only + 1;
    const flags = new RowSet(this.#vocabulary.count + 1);
    for (const code of codes) flags.add(code + 1);
    return (code) => flags.has(code);
  }

  #matchesAt(from: number, tests: readonly ((code: number) => boolean)[]): boolean {
    for (let at = 0; at < tests.length; at += 1)
      if (tests[at]?.(this.#codes[from + at] ?? lineEnd) !== true) return false;
    return true;
  }

  /** Returns true when the code before or after the words is the boundary. `outside` is the index beyond the sequence. */
  #isEdge(at: number, outside: number, edge: Edge): boolean {
    if (edge === 'none' || at === outside) return true;
    return edge === 'line' && this.#codes[at] === lineEnd;
  }

  /** Writes the codes of the text to `#codes` and returns their count. */
  #encode(text: string): number {
    // A character of a string takes at most three bytes.
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 4);
    const end = this.#scratch.write(text);
    const bytes = this.#scratch;
    let length = 0;
    for (let from = 0, at = 0; at <= end; at += 1) {
      const byte = at === end ? newline : bytes[at];
      if (byte !== space && byte !== newline) continue;
      // An empty line is only a line end. Two adjacent spaces enclose an empty word.
      const isLine = byte === newline && from === at && (from === 0 || bytes[from - 1] === newline);
      if (!isLine)
        length = this.#pushCode(length, this.#vocabulary.getOrAddCode(bytes, from, at) + 1);
      if (byte === newline && at < end) length = this.#pushCode(length, lineEnd);
      from = at + 1;
    }
    // An empty text is one empty word, because a sequence without codes is a row without a text.
    return length === 0
      ? this.#pushCode(0, this.#vocabulary.getOrAddCode(bytes, 0, 0) + 1)
      : length;
  }

  #pushCode(length: number, code: number): number {
    if (length === this.#codes.length) this.#codes = grow(this.#codes, length);
    this.#codes[length] = code;
    return length + 1;
  }

  /** Stores the codes in `#codes` as varints, preceded by their length in bytes, and returns the address. */
  #writeSequence(length: number): number {
    let bytes = 0;
    for (let at = 0; at < length; at += 1) bytes += getVarintLength(this.#codes[at] ?? 0);
    const size = getVarintLength(bytes) + bytes;
    if (size > blockSize) {
      this.#isComplete = false;
      return this.#writeSequence(0);
    }
    let address = this.#sequences.reserve(size);
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

  /** Returns the first byte of the length, which is 0 only for an empty sequence. */
  #readLength(address: number): number {
    return this.#sequences.get(address);
  }

  /** Reads the codes of a row into `#codes` and returns their count, 0 for a row without a text. */
  #readSequence(position: number): number {
    const version = this.#newest[position] ?? 0;
    if (version === 0) return 0;
    const address = this.#addresses[version - 1] ?? 0;
    const block = this.#sequences.getBlock(address);
    let at = getOffsetInBlock(address);
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
      length = this.#pushCode(length, code);
      code = 0;
      shift = 0;
    }
    return length;
  }
}

/** Returns the bytes of a number as a varint with seven bits in each byte. */
function getVarintLength(number: number): number {
  let bytes = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}
