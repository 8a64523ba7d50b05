/** The distinct words of a text column, each once, as bytes that one pass of the processor can search. */
import type { WordPlace } from '../criteria/text-pattern.ts';

const newline = 0x0a;
/** Of the table that finds a word's code: it grows when more than half is filled. */
const leastSlots = 1_024;

/** Words of which is noted together which runs of letters they have. */
const wordsABlock = 512;
/** Bytes of a run: shorter ones, of digits above all, stand in almost every block. */
const runLength = 5;
const bitsABlock = 16_384;
const numbersABlock = bitsABlock / 32;

export class TokenVocabulary {
  /** Words in the order of their codes, a newline before the first and after each. */
  #bytes = Buffer.alloc(4_096);
  #length = 1;
  /** By code, where the word begins. */
  #starts = new Uint32Array(leastSlots);
  #count = 0;
  /** Open addressing; 0 is free, else the code and one. */
  #slots = new Uint32Array(leastSlots);
  /** By block of words, a bit for each run of bytes that one of its words has: without it, no word of the block has the run. */
  #runs = new Uint32Array(numbersABlock);

  constructor() {
    this.#bytes[0] = newline;
  }

  /** Codes are smaller. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return (
      this.#bytes.length + this.#starts.byteLength + this.#slots.byteLength + this.#runs.byteLength
    );
  }

  /** The code of the word at `from` to `to`, which gets one if it is new. The word holds no newline. */
  codeOf(text: Uint8Array, from: number, to: number): number {
    const slot = this.#slotOf(text, from, to);
    const known = this.#slots[slot] ?? 0;
    if (known > 0) return known - 1;
    const code = this.#add(text, from, to);
    this.#slots[slot] = code + 1;
    if (this.#count * 2 > this.#slots.length) this.#widen();
    return code;
  }

  /** The slot of the word, or the free one in which it would be noted. */
  #slotOf(text: Uint8Array, from: number, to: number): number {
    let slot = hashOf(text, from, to) & (this.#slots.length - 1);
    for (;;) {
      const known = this.#slots[slot] ?? 0;
      if (known === 0 || this.#isWord(known - 1, text, from, to)) return slot;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
  }

  /** Codes of the words in which the text stands at that place, ascending. The text holds neither space nor newline. */
  find(text: string, place: WordPlace): number[] {
    if (place === 'whole') {
      const word = Buffer.from(text);
      const known = this.#slots[this.#slotOf(word, 0, word.length)] ?? 0;
      return known === 0 ? [] : [known - 1];
    }
    if (text === '') return Array.from({ length: this.#count }, (_, code) => code);
    const before = place === 'start' ? '\n' : '';
    const after = place === 'end' ? '\n' : '';
    const wanted = Buffer.from(`${before}${text}${after}`);
    const found: number[] = [];
    for (const [first, behind] of this.#codesWithRuns(runsOf(Buffer.from(text))))
      this.#findAmong(wanted, { first, behind, skipped: before.length }, found);
    return found;
  }

  /** Adds the codes of the words from `first` up to `behind` in which the bytes stand, `skipped` of them before the word. */
  #findAmong(
    wanted: Buffer,
    {
      first,
      behind,
      skipped,
    }: { readonly first: number; readonly behind: number; readonly skipped: number },
    found: number[],
  ): void {
    const words = this.#bytes.subarray(0, this.#endOf(behind - 1) + 1);
    // The newline that precedes the first word.
    for (let from = (this.#starts[first] ?? 0) - 1; from < words.length; ) {
      const at = words.indexOf(wanted, from);
      if (at < 0) return;
      const code = this.#codeAt(at + skipped, first, behind - 1);
      found.push(code);
      // The newline that ends this word precedes the next one.
      from = this.#endOf(code);
    }
  }

  /** Ranges of codes, ascending, outside of which no word has all of the runs. */
  #codesWithRuns(runs: readonly number[]): readonly (readonly [first: number, behind: number])[] {
    if (this.#count === 0) return [];
    if (runs.length === 0) return [[0, this.#count]];
    const ranges: [number, number][] = [];
    for (let first = 0, block = 0; first < this.#count; first += wordsABlock, block += 1) {
      if (!this.#hasRuns(block * numbersABlock, runs)) continue;
      const behind = Math.min(first + wordsABlock, this.#count);
      const last = ranges.at(-1);
      if (last !== undefined && last[1] === first) last[1] = behind;
      else ranges.push([first, behind]);
    }
    return ranges;
  }

  #hasRuns(from: number, runs: readonly number[]): boolean {
    for (const run of runs)
      if ((((this.#runs[from + (run >>> 5)] ?? 0) >>> (run & 31)) & 1) === 0) return false;
    return true;
  }

  #noteRuns(code: number, from: number, to: number): void {
    const block = Math.floor(code / wordsABlock) * numbersABlock;
    if (block >= this.#runs.length) {
      const runs = new Uint32Array(
        block + numbersABlock * (1 + Math.floor(code / wordsABlock / 4)),
      );
      runs.set(this.#runs);
      this.#runs = runs;
    }
    for (let at = from; at + runLength <= to; at += 1) {
      const run = runAt(this.#bytes, at);
      const place = block + (run >>> 5);
      this.#runs[place] = (this.#runs[place] ?? 0) | (1 << (run & 31));
    }
  }

  textOf(code: number): string {
    return this.#bytes.toString('utf8', this.#starts[code] ?? 0, this.#endOf(code));
  }

  #endOf(code: number): number {
    return (code + 1 === this.#count ? this.#length : (this.#starts[code + 1] ?? 0)) - 1;
  }

  /** The word in which the byte at this place stands, one of those between the two codes. */
  #codeAt(at: number, least: number, most: number): number {
    let low = least;
    let high = most;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #isWord(code: number, text: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[code] ?? 0;
    if (this.#endOf(code) - start !== to - from) return false;
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
    if (this.#count === this.#starts.length) {
      const starts = new Uint32Array(Math.ceil(this.#count * 1.5));
      starts.set(this.#starts);
      this.#starts = starts;
    }
    const code = this.#count;
    this.#starts[code] = this.#length;
    this.#bytes.set(text.subarray(from, to), this.#length);
    this.#length = needed;
    this.#bytes[needed - 1] = newline;
    this.#count += 1;
    this.#noteRuns(code, needed - 1 - (to - from), needed - 1);
    return code;
  }

  #widen(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let code = 0; code < this.#count; code += 1) {
      const start = this.#starts[code] ?? 0;
      let slot = hashOf(this.#bytes, start, this.#endOf(code)) & (this.#slots.length - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = code + 1;
    }
  }
}

/** All runs of a text as bits of a block; none of a text that is shorter than a run. */
function runsOf(text: Uint8Array): readonly number[] {
  const runs = new Set<number>();
  for (let at = 0; at + runLength <= text.length; at += 1) runs.add(runAt(text, at));
  return [...runs];
}

/** The bit of the run of bytes that begins there. */
function runAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let next = at; next < at + runLength; next += 1)
    hash = Math.imul(hash, 33) ^ (bytes[next] ?? 0);
  return Math.imul(hash, 0x9e37_79b1) >>> 18;
}

/** FNV-1a of 32 bits, its high bits mixed into the low ones. */
function hashOf(text: Uint8Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
