/** The distinct words of a text column, each once, as bytes that one pass of the processor can search. */

/** Where in a word a text must stand. */
export type WordPlace = 'inside' | 'start' | 'end' | 'whole';

const newline = 0x0a;
/** Of the table that finds a word's code: it grows when more than half is filled. */
const leastSlots = 1_024;

export class TokenVocabulary {
  /** Words in the order of their codes, a newline before the first and after each. */
  #bytes = Buffer.alloc(4_096);
  #length = 1;
  /** By code, where the word begins. */
  #starts = new Uint32Array(leastSlots);
  #count = 0;
  /** Open addressing; 0 is free, else the code and one. */
  #slots = new Uint32Array(leastSlots);

  constructor() {
    this.#bytes[0] = newline;
  }

  /** Codes are smaller. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#slots.byteLength;
  }

  /** The code of the word at `from` to `to`, which gets one if it is new. The word holds no newline. */
  codeOf(text: Uint8Array, from: number, to: number): number {
    let slot = hashOf(text, from, to) & (this.#slots.length - 1);
    for (;;) {
      const kept = this.#slots[slot] ?? 0;
      if (kept === 0) break;
      if (this.#isWord(kept - 1, text, from, to)) return kept - 1;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    const code = this.#add(text, from, to);
    this.#slots[slot] = code + 1;
    if (this.#count * 2 > this.#slots.length) this.#widen();
    return code;
  }

  /** Codes of the words in which the text stands at that place, ascending. The text holds neither space nor newline. */
  find(text: string, place: WordPlace): number[] {
    if (text === '' && place !== 'whole')
      return Array.from({ length: this.#count }, (_, code) => code);
    const before = place === 'start' || place === 'whole' ? '\n' : '';
    const after = place === 'end' || place === 'whole' ? '\n' : '';
    const wanted = Buffer.from(`${before}${text}${after}`);
    const words = this.#bytes.subarray(0, this.#length);
    const found: number[] = [];
    for (let from = 0; from < words.length; ) {
      const at = words.indexOf(wanted, from);
      if (at < 0) break;
      const code = this.#codeAt(at + before.length, found.at(-1) ?? 0);
      found.push(code);
      // The newline that ends this word precedes the next one.
      from = this.#endOf(code);
    }
    return found;
  }

  textOf(code: number): string {
    return this.#bytes.toString('utf8', this.#starts[code] ?? 0, this.#endOf(code));
  }

  #endOf(code: number): number {
    return (code + 1 === this.#count ? this.#length : (this.#starts[code + 1] ?? 0)) - 1;
  }

  /** The word in which the byte at this place stands; none before `least`. */
  #codeAt(at: number, least: number): number {
    let low = least;
    let high = this.#count - 1;
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

/** FNV-1a of 32 bits, its high bits mixed into the low ones. */
function hashOf(text: Uint8Array, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
