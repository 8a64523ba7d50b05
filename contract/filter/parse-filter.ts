/**
 * Parses the filter of a search call: conditions joined by `and`. It knows no list; `checkFilter` checks the conditions against
 * one.
 */
import {
  type Comparison,
  FilterError,
  type FilterTest,
  maxConditions,
  maxValues,
  type ParsedCondition,
  type Scalar,
} from './filter-conditions.ts';
import { FilterTokens, shortened, type Token } from './filter-tokens.ts';

/** Bytes in UTF-8. */
export const maxFilterLength = 8192;

const comparisons: readonly string[] = ['=', '!=', '<', '>', '<=', '>='] satisfies Comparison[];
const operatorLabel = `${comparisons.join(', ')}, in, not in, like, not like, between, is null, is not null`;
const keywords: readonly string[] = [
  'and',
  'not',
  'in',
  'like',
  'between',
  'is',
  'null',
  'true',
  'false',
];

/** Returns no conditions for a blank text. Throws FilterError. */
export function parseFilter(text: string): readonly ParsedCondition[] {
  // A character has at least one byte, so a text with too many characters need not be encoded.
  const bytes = text.length > maxFilterLength ? text.length : new TextEncoder().encode(text).length;
  if (bytes > maxFilterLength) {
    const message = `The filter is longer than ${maxFilterLength} bytes. Drop conditions or values of a list.`;
    throw new FilterError('too_long', message, 1);
  }
  return new FilterParser(text).conditions();
}

type PositionedTest = FilterTest & Pick<ParsedCondition, 'valuesAt'>;

class FilterParser {
  readonly #tokens: FilterTokens;
  #token: Token;

  constructor(text: string) {
    this.#tokens = new FilterTokens(text);
    this.#token = this.#tokens.next();
  }

  conditions(): readonly ParsedCondition[] {
    const conditions: ParsedCondition[] = [];
    if (this.#atEnd()) return conditions;
    for (;;) {
      if (conditions.length === maxConditions) {
        const message = `A filter has at most ${maxConditions} conditions; the one at ${this.#token.at} is too many. Drop some.`;
        throw new FilterError('too_many', message, this.#token.at);
      }
      conditions.push(this.#condition());
      if (this.#atEnd()) return conditions;
      this.#expect('and', 'and, the end of the filter');
    }
  }

  #condition(): ParsedCondition {
    let name = this.#name('a field, lower(field)');
    let lowered = false;
    if (name.written.toLowerCase() === 'lower' && this.#take('(')) {
      lowered = true;
      name = this.#name('a field');
      this.#expect(')', ')');
    }
    const operatorAt = this.#token.at;
    return { field: name.written, lowered, at: name.at, operatorAt, ...this.#test() };
  }

  #name(allowed: string): Token {
    const name = this.#token;
    if (name.kind !== 'word' || keywords.includes(name.written.toLowerCase()))
      throw this.#unexpected(allowed);
    this.#advance();
    return name;
  }

  #test(): PositionedTest {
    const operator = this.#token;
    if (operator.kind === 'sign' && comparisons.includes(operator.written)) {
      this.#advance();
      const valuesAt = [this.#token.at];
      return {
        kind: 'compared',
        comparison: operator.written as Comparison,
        value: this.#value(),
        valuesAt,
      };
    }
    if (this.#take('is')) {
      const negated = this.#take('not');
      this.#expect('null', negated ? 'null' : 'null, not null');
      return { kind: 'null', negated, valuesAt: [] };
    }
    if (this.#take('between')) {
      const lowAt = this.#token.at;
      const low = this.#value();
      this.#expect('and', 'and');
      return { kind: 'between', low, valuesAt: [lowAt, this.#token.at], high: this.#value() };
    }
    const negated = this.#take('not');
    if (this.#take('in')) return { kind: 'oneOf', negated, ...this.#values() };
    if (this.#take('like')) {
      const pattern = this.#token;
      if (pattern.kind !== 'string')
        throw this.#unexpected("a pattern in quotes such as '%openssl%'");
      this.#advance();
      return { kind: 'like', negated, pattern: pattern.value, valuesAt: [pattern.at] };
    }
    throw this.#unexpected(
      negated ? 'in, like' : operatorLabel,
      negated ? 'syntax' : 'unknown_operator',
    );
  }

  #values(): { values: readonly Scalar[]; valuesAt: readonly number[] } {
    const values: Scalar[] = [];
    const valuesAt: number[] = [];
    this.#expect('(', '(');
    do {
      if (values.length === maxValues) {
        const message = `A list has at most ${maxValues} values; the one at ${this.#token.at} is too many. Drop some.`;
        throw new FilterError('too_many', message, this.#token.at);
      }
      valuesAt.push(this.#token.at);
      values.push(this.#value());
    } while (this.#take(','));
    this.#expect(')', 'a comma, )');
    return { values, valuesAt };
  }

  #value(): Scalar {
    const token = this.#token;
    if (token.kind === 'string' || token.kind === 'number') {
      this.#advance();
      return token.value;
    }
    if (this.#take('true')) return true;
    if (this.#take('false')) return false;
    throw this.#unexpected('words in quotes, a number, true, false');
  }

  #atEnd(): boolean {
    return this.#token.kind === 'end';
  }

  #advance(): void {
    this.#token = this.#tokens.next();
  }

  /** Consumes the sign or keyword when it is the next token. */
  #take(written: string): boolean {
    const { kind } = this.#token;
    if ((kind !== 'word' && kind !== 'sign') || this.#token.written.toLowerCase() !== written)
      return false;
    this.#advance();
    return true;
  }

  #expect(written: string, allowed: string): void {
    if (!this.#take(written)) throw this.#unexpected(allowed);
  }

  #unexpected(allowed: string, code: 'syntax' | 'unknown_operator' = 'syntax'): FilterError {
    const { kind, at, written } = this.#token;
    if (kind === 'end')
      return new FilterError(
        'syntax',
        `The filter ends unexpectedly at ${at}. Allowed here: ${allowed}`,
        at,
      );
    const shown = kind === 'string' ? 'a string' : `'${shortened(written)}'`;
    return new FilterError(code, `Unexpected ${shown} at ${at}. Allowed here: ${allowed}`, at);
  }
}
