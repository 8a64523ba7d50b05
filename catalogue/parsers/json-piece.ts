/** Finds the extent of one JSON value over the chunks of a document; JSON.parse validates it. */
export class JsonPiece {
  readonly #omittedKeys: ReadonlySet<string>;
  readonly #omittedDepth: number;
  /** The last string at the depth of the omitted members; null when it spans two chunks. */
  #lastString: string | null = null;
  /** True within the value of an omitted member. */
  #omitting = false;
  underWay = false;
  /** Characters so far. */
  length = 0;
  #parts: string[] = [];
  #bare = false;
  #depth = 0;
  /** True when the value is nested deeper than any vendor's: recursive readers would overflow the stack. */
  tooDeep = false;
  #quoted = false;
  #escaped = false;

  /**
   * Replaces lists and objects under the omitted keys by null in the value's text. This only saves time: one whose key spans two
   * chunks may be left unchanged.
   */
  constructor({ keys, depth }: OmittedMembers = nothingOmitted) {
    this.#omittedKeys = keys;
    this.#omittedDepth = depth;
  }

  /** Consumes the value's text and returns the index where it ends in the chunk. */
  take(chunk: string, from: number): number {
    if (!this.underWay) {
      this.underWay = true;
      this.#bare = !'{["'.includes(chunk.charAt(from));
    }
    const end = this.#bare ? this.#takeBare(chunk, from) : this.#takeNested(chunk, from);
    this.length += end - from;
    return end;
  }

  /** Returns the value's text once it has ended, and prepares for the next value; null before its end. */
  finished(): string | null {
    if (this.underWay) return null;
    const text = this.#parts.join('');
    this.#parts = [];
    this.length = 0;
    return text;
  }

  /** A number, true, false or null ends before the first character that cannot belong to it. */
  #takeBare(chunk: string, from: number): number {
    const end = this.#endOfBare(chunk, from);
    this.#parts.push(chunk.slice(from, end));
    return end;
  }

  #endOfBare(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (isJsonSpace(chunk.charCodeAt(at)) || ',:]}'.includes(chunk.charAt(at))) {
        this.underWay = false;
        return at;
      }
    }
    return chunk.length;
  }

  #takeNested(chunk: string, from: number): number {
    /** Index of the first character that no part contains yet. */
    let partStart = from;
    /** Index at which the open string begins; -1 in an earlier chunk. */
    let string = -1;
    let at = from;
    while (at < chunk.length) {
      if (this.#quoted) {
        at = this.#endOfString(chunk, at);
        if (this.#quoted) break;
        if (this.#depth === this.#omittedDepth)
          this.#lastString = string === -1 ? null : chunk.slice(string, at - 1);
      } else {
        const code = chunk.charCodeAt(at);
        at += 1;
        if (code === doubleQuote) {
          this.#quoted = true;
          string = at;
          continue;
        }
        if (code === openBrace || code === openBracket) {
          if (this.#depth === this.#omittedDepth && this.#isOmitted()) {
            this.#parts.push(chunk.slice(partStart, at - 1), 'null');
            this.#omitting = true;
          }
          this.#depth += 1;
          if (this.#depth > maxJsonDepth) this.tooDeep = true;
          continue;
        }
        if (code !== closeBrace && code !== closeBracket) continue;
        this.#depth -= 1;
        if (this.#omitting && this.#depth === this.#omittedDepth) {
          this.#omitting = false;
          partStart = at;
        }
      }
      if (this.#depth === 0) {
        this.underWay = false;
        break;
      }
    }
    if (!this.#omitting) this.#parts.push(chunk.slice(partStart, at));
    return at;
  }

  /** Returns the index behind the closing quote, or the end of the chunk when the string continues. */
  #endOfString(chunk: string, from: number): number {
    let at = from;
    if (this.#escaped && at < chunk.length) {
      this.#escaped = false;
      at += 1;
    }
    for (; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (code === doubleQuote) {
        this.#quoted = false;
        return at + 1;
      }
      if (code !== backslash) continue;
      at += 1;
      if (at === chunk.length) this.#escaped = true;
    }
    return chunk.length;
  }

  #isOmitted(): boolean {
    return this.#lastString !== null && this.#omittedKeys.has(this.#lastString);
  }
}

export interface OmittedMembers {
  readonly keys: ReadonlySet<string>;
  /** 1 for the members of the value itself, 2 for their members. */
  readonly depth: number;
}

const nothingOmitted: OmittedMembers = { keys: new Set(), depth: -1 };

export const maxJsonDepth = 500;

const doubleQuote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

export function isJsonSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
