/** One JSON value, followed over the chunks of a document to its end. Only its extent is found here; JSON.parse judges what is inside. */
export class JsonPiece {
  underWay = false;
  /** Characters so far. */
  length = 0;
  #parts: string[] = [];
  #bare = false;
  #depth = 0;
  /** The value is nested deeper than any vendor's: what walks it by recursion would run out of stack. */
  tooDeep = false;
  #quoted = false;
  #escaped = false;

  /** Takes what belongs to the value and returns where in the chunk that ends. */
  take(chunk: string, from: number): number {
    if (!this.underWay) {
      this.underWay = true;
      this.#bare = !'{["'.includes(chunk.charAt(from));
    }
    const end = this.#bare ? this.#endOfBare(chunk, from) : this.#endOfNested(chunk, from);
    this.#parts.push(chunk.slice(from, end));
    this.length += end - from;
    return end;
  }

  /** The value's text when its end was met; the next value can then begin. */
  finished(): string | null {
    if (this.underWay) return null;
    const text = this.#parts.join('');
    this.#parts = [];
    this.length = 0;
    return text;
  }

  /** A number, true, false or null ends before the character that cannot belong to it. */
  #endOfBare(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (isJsonSpace(chunk.charCodeAt(at)) || ',:]}'.includes(chunk.charAt(at))) {
        this.underWay = false;
        return at;
      }
    }
    return chunk.length;
  }

  #endOfNested(chunk: string, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (this.#escaped) {
        this.#escaped = false;
      } else if (this.#quoted) {
        if (code === backslash) this.#escaped = true;
        else if (code === doubleQuote) this.#quoted = false;
      } else if (code === doubleQuote) {
        this.#quoted = true;
      } else if (code === openBrace || code === openBracket) {
        this.#depth += 1;
        if (this.#depth > maxJsonDepth) this.tooDeep = true;
      } else if (code === closeBrace || code === closeBracket) {
        this.#depth -= 1;
      }
      if (this.#depth === 0 && !this.#quoted) {
        this.underWay = false;
        return at + 1;
      }
    }
    return chunk.length;
  }
}

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
