/** Finds the order that a query asks for: `latest openssl` means the newest records of openssl first. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { newestFirst } from '@patch/catalogue/records/all-patches-list.ts';
import type { QueryPart } from '@patch/contract/records/search-endpoint.ts';
import { newestWords } from './aliases.ts';
import { denying } from './grammar-words.ts';
import { maxTimeWords, readTimeSpan } from './typed-times.ts';

/** Words of the longest name of an order. */
const maxOrderWords = 2;

interface TypedTerm {
  readonly typed: string;
  /** Empty for a phrase. */
  readonly word: string;
}

interface OrderedTerms<Term> {
  readonly order: QueryPart | null;
  /** The other terms. */
  readonly terms: readonly Term[];
}

/** Returns no order for a list whose own order is by date, or that has no date. */
export function takeOrder<Term extends TypedTerm>(
  list: ListDefinition,
  terms: readonly Term[],
  now: number,
): OrderedTerms<Term> {
  if (!Object.hasOwn(list.compoundSorts, newestFirst)) return { order: null, terms };
  for (const start of terms.keys())
    for (let length = maxOrderWords; length > 0; length -= 1) {
      const span = terms.slice(start, start + length);
      if (span.length < length || !newestWords.has(joinWords(span))) continue;
      if (isTime(terms.slice(start, start + maxTimeWords), now)) continue;
      if (denying.has(terms[start - 1]?.word ?? '')) continue;
      const text = span.map(({ typed }) => typed).join(' ');
      return { order: { text, sort: newestFirst }, terms: terms.toSpliced(start, length) };
    }
  return { order: null, terms };
}

/** Returns true when the terms begin with a time: `last week`, `last 30 days`. */
const isTime = (terms: readonly TypedTerm[], now: number): boolean => {
  const words = terms.map(({ word }) => word);
  return words.some((_, at) => readTimeSpan(words.slice(0, at + 1), now) !== null);
};

const joinWords = (terms: readonly TypedTerm[]): string => terms.map(({ word }) => word).join(' ');
