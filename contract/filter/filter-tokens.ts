/** Splits a filter text into words, numbers, strings and signs, in one pass. */
import { FilterError } from './filter-conditions.ts';

export type Token = {
  /** Position in the text, from 1 in characters. */
  readonly at: number;
  /** As written, for messages. */
  readonly written: string;
} & (
  | { readonly kind: 'word' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'sign' }
  /** A character that begins no token. */
  | { readonly kind: 'stray' }
  | { readonly kind: 'end' }
);

/** Shortens a token for messages. */
export function shortened(written: string): string {
  return written.length > 40 ? `${written.slice(0, 40)}…` : written;
}

const space = /\s*/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /-?[0-9]+(?:\.[0-9]+)?/y;
const sign = /<=|>=|!=|[=<>(),]/y;
const stray = /./suy;

export class FilterTokens {
  readonly #text: string;
  #index = 0;
  /** Characters beyond the first plane take two positions of the string but count as one. */
  #pairs = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    this.#match(space);
    const at = this.#index + 1 - this.#pairs;
    if (this.#index >= this.#text.length) return { kind: 'end', at, written: 'the end' };
    if (this.#text[this.#index] === "'") return this.#string(at);

    const asWord = this.#match(word);
    if (asWord !== null) return { kind: 'word', at, written: asWord };
    const asNumber = this.#match(number);
    if (asNumber !== null) return this.#number(at, asNumber);
    const asSign = this.#match(sign);
    if (asSign !== null) return { kind: 'sign', at, written: asSign };
    return { kind: 'stray', at, written: this.#match(stray) ?? '' };
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#index;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#index += found.length;
    return found;
  }

  #number(at: number, written: string): Token {
    const attached = this.#match(word);
    if (attached !== null)
      throw new FilterError(
        'syntax',
        `'${shortened(written + attached)}' at ${at} is neither a number nor a field name.`,
        at,
      );
    const value = Number(written);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw new FilterError(
        'wrong_type',
        `${shortened(written)} at ${at} is too large; numbers reach up to ${Number.MAX_SAFE_INTEGER}.`,
        at,
      );
    }
    return { kind: 'number', at, written, value };
  }

  /** Reads up to the next quote that is not doubled. */
  #string(at: number): Token {
    const begin = this.#index + 1;
    let end = this.#text.indexOf("'", begin);
    while (end !== -1 && this.#text[end + 1] === "'") end = this.#text.indexOf("'", end + 2);
    if (end === -1) {
      const message = `The string that begins at ${at} has no closing quote. A quote inside a string is doubled: 'it''s'.`;
      throw new FilterError('unterminated_string', message, at);
    }
    const written = this.#text.slice(begin, end);
    if (written.includes('\0')) {
      throw new FilterError(
        'syntax',
        `The string that begins at ${at} contains the character U+0000, which is not allowed.`,
        at,
      );
    }
    this.#index = end + 1;
    this.#pairs += written.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
    return { kind: 'string', at, written: `'${written}'`, value: written.replaceAll("''", "'") };
  }
}
