/** The distinct words of a text column, stored in one buffer that can be scanned for a substring. */
import { LRUCache } from 'lru-cache';
import type { WordAnchor } from '../criteria/text-pattern.ts';
import { grow } from './word-column.ts';

const newline = 0x0a;
/** Initial size of the hash table from words to codes. It grows when more than half of it is filled. */
const minSlots = 1_024;

/** Words that share a block of run bits. */
const wordsPerBlock = 512;
/** Bytes of a run. Shorter runs, of digits especially, occur in almost every block. */
const runLength = 5;
const bitsPerBlock = 16_384;
const integersPerBlock = bitsPerBlock / 32;
/** Longer results are not kept, because they take as much memory as the words. */
const maxKeptCodes = 10_000;

export class TokenVocabulary {
  /** Words in the order of their codes, with a newline before the first word and after each word. */
  #bytes = Buffer.alloc(4_096);
  #length = 1;
  /** Offset of each word in `#bytes`, by code. */
  #starts = new Uint32Array(minSlots);
  #count = 0;
  /** Hash table with open addressing. 0 is a free slot, other numbers are a code plus one. */
  #slots = new Uint32Array(minSlots);
  /** A Bloom filter for each block of words. If the bit of a run is not set, no word of the block contains the run. */
  #runs = new Uint32Array(integersPerBlock);

  /** Codes of the last texts, by the count of words, the anchor and the text. */
  readonly #found = new LRUCache<string, readonly number[]>({ max: 32 });

  constructor() {
    this.#bytes[0] = newline;
  }

  /** Count of words. Every code is smaller. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return (
      this.#bytes.length + this.#starts.byteLength + this.#slots.byteLength + this.#runs.byteLength
    );
  }

  /** Returns the code of the word from byte `from` up to `to`, and adds a new word. The word must not contain a newline. */
  getOrAddCode(text: Uint8Array, from: number, to: number): number {
    const slot = this.#findSlot(text, from, to);
    const known = this.#slots[slot] ?? 0;
    if (known > 0) return known - 1;
    const code = this.#add(text, from, to);
    this.#slots[slot] = code + 1;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return code;
  }

  /** Returns the slot of the word, or the free slot for it. */
  #findSlot(text: Uint8Array, from: number, to: number): number {
    let slot = hashBytes(text, from, to) & (this.#slots.length - 1);
    for (;;) {
      const known = this.#slots[slot] ?? 0;
      if (known === 0 || this.#isWord(known - 1, text, from, to)) return slot;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
  }

  /** Returns the ascending codes of the words that contain the text at the anchor. The text must not contain a space or newline. */
  find(text: string, anchor: WordAnchor): readonly number[] {
    // The hash table answers at once.
    if (anchor === 'exact') return this.#search(text, anchor);
    // Who types a query asks for its first words again with each letter.
    const key = `${this.#count} ${anchor} ${text}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const codes = this.#search(text, anchor);
    if (codes.length <= maxKeptCodes) this.#found.set(key, codes);
    return codes;
  }

  #search(text: string, anchor: WordAnchor): number[] {
    if (anchor === 'exact') {
      const word = Buffer.from(text);
      const known = this.#slots[this.#findSlot(word, 0, word.length)] ?? 0;
      return known === 0 ? [] : [known - 1];
    }
    if (text === '') return Array.from({ length: this.#count }, (_, code) => code);
    const before = anchor === 'start' ? '\n' : '';
    const after = anchor === 'end' ? '\n' : '';
    const pattern = Buffer.from(`${before}${text}${after}`);
    const found: number[] = [];
    for (const [first, end] of this.#findRanges(hashRuns(Buffer.from(text))))
      this.#findInRange(pattern, { first, end, skipped: before.length }, found);
    return found;
  }

  /** Returns true when a word contains the text, which must not contain a space or newline. */
  has(text: string): boolean {
    const pattern = Buffer.from(text);
    return this.#findRanges(hashRuns(pattern)).some(([first, end]) =>
      this.#bytes.subarray(this.#starts[first] ?? 0, this.#getEnd(end - 1)).includes(pattern),
    );
  }

  /**
   * Adds the codes from `first` up to `end`, without it, of words that contain the pattern, to `found`. The first `skipped` bytes of
   * the pattern precede the word.
   */
  #findInRange(
    pattern: Buffer,
    {
      first,
      end,
      skipped,
    }: { readonly first: number; readonly end: number; readonly skipped: number },
    found: number[],
  ): void {
    const words = this.#bytes.subarray(0, this.#getEnd(end - 1) + 1);
    // Starts at the newline before the first word.
    for (let from = (this.#starts[first] ?? 0) - 1; from < words.length; ) {
      const at = words.indexOf(pattern, from);
      if (at < 0) return;
      const code = this.#findCodeAt(at + skipped, first, end - 1);
      found.push(code);
      // Continues at the newline that ends this word and precedes the next one.
      from = this.#getEnd(code);
    }
  }

  /** Returns ascending ranges of codes. Words outside of them do not contain all of the runs. */
  #findRanges(runs: readonly number[]): readonly (readonly [first: number, end: number])[] {
    if (this.#count === 0) return [];
    if (runs.length === 0) return [[0, this.#count]];
    const ranges: [number, number][] = [];
    for (let first = 0, block = 0; first < this.#count; first += wordsPerBlock, block += 1) {
      if (!this.#hasRuns(block * integersPerBlock, runs)) continue;
      const end = Math.min(first + wordsPerBlock, this.#count);
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === first) last[1] = end;
      else ranges.push([first, end]);
    }
    return ranges;
  }

  #hasRuns(from: number, runs: readonly number[]): boolean {
    for (const run of runs)
      if ((((this.#runs[from + (run >>> 5)] ?? 0) >>> (run & 31)) & 1) === 0) return false;
    return true;
  }

  #addRuns(code: number, from: number, to: number): void {
    const block = Math.floor(code / wordsPerBlock) * integersPerBlock;
    if (block >= this.#runs.length) {
      const runs = new Uint32Array(
        block + integersPerBlock * (1 + Math.floor(code / wordsPerBlock / 4)),
      );
      runs.set(this.#runs);
      this.#runs = runs;
    }
    for (let at = from; at + runLength <= to; at += 1) {
      const run = hashRunAt(this.#bytes, at);
      const index = block + (run >>> 5);
      this.#runs[index] = (this.#runs[index] ?? 0) | (1 << (run & 31));
    }
  }

  getText(code: number): string {
    return this.#bytes.toString('utf8', this.#starts[code] ?? 0, this.#getEnd(code));
  }

  #getEnd(code: number): number {
    return (code + 1 === this.#count ? this.#length : (this.#starts[code + 1] ?? 0)) - 1;
  }

  /** Returns the code, between `first` and `last`, of the word that contains the byte at this offset. */
  #findCodeAt(offset: number, first: number, last: number): number {
    let low = first;
    let high = last;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #isWord(code: number, text: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[code] ?? 0;
    if (this.#getEnd(code) - start !== to - from) return false;
    for (let at = from; at < to; at += 1)
      if (this.#bytes[start + at - from] !== text[at]) return false;
    return true;
  }

  #add(text: Uint8Array, from: number, to: number): number {
    const needed = this.#length + to - from + 1;
    if (needed > this.#bytes.length) {
      const bytes = Buffer.alloc(Math.ceil(needed * 1.5));
      this.#bytes.copy(bytes);
      this.#bytes = bytes;
    }
    if (this.#count === this.#starts.length) this.#starts = grow(this.#starts, this.#count);
    const code = this.#count;
    this.#starts[code] = this.#length;
    this.#bytes.set(text.subarray(from, to), this.#length);
    this.#length = needed;
    this.#bytes[needed - 1] = newline;
    this.#count += 1;
    this.#addRuns(code, needed - 1 - (to - from), needed - 1);
    return code;
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let code = 0; code < this.#count; code += 1) {
      const start = this.#starts[code] ?? 0;
      let slot = hashBytes(this.#bytes, start, this.#getEnd(code)) & (this.#slots.length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = code + 1;
    }
  }
}

/** Returns the bits of all runs of a text, which are none when it is shorter than a run. */
function hashRuns(text: Uint8Array): readonly number[] {
  const runs = new Set<number>();
  for (let at = 0; at + runLength <= text.length; at += 1) runs.add(hashRunAt(text, at));
  return [...runs];
}

/** Hashes the run of bytes at this offset to a bit of a block. */
function hashRunAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let next = at; next < at + runLength; next += 1)
    hash = Math.imul(hash, 33) ^ (bytes[next] ?? 0);
  return Math.imul(hash, 0x9e37_79b1) >>> 18;
}

/** FNV-1a with 32 bits. Mixes the high bits into the low bits, which select the slot. */
function hashBytes(text: Uint8Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
