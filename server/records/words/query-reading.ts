/**
 * Reads a query as a person means it: `openssl critical on Debian 12` as the word `openssl`, the severity Critical and the release
 * Debian 12. Products and releases are known from the values of the list itself; the longest reading wins.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import type { QueryPart, ReadQuery } from '@patch/contract/records/search-endpoint.ts';
import { parsePackageKeyword } from '../criteria/keyword-parts.ts';
import { isTaken, type Meant } from './found-spans.ts';
import { connecting } from './grammar-words.ts';
import type { NameDictionary } from './name-dictionary.ts';
import { createMeanings } from './query-meanings.ts';
import { takeOrder } from './query-order.ts';
import { isIdentifier, isRecordNumber, joinParts } from './query-parts.ts';
import { rewriteTerms, spell, splitDenials, splitLists, type Term } from './query-terms.ts';
import { readTerms } from './read-terms.ts';
import { leaveOut } from './shorter-readings.ts';
import type { KnownWords } from './spelling.ts';

export interface QueryWords {
  readonly names: NameDictionary;
  /** Null while the texts of the list are not in memory. Nothing is spelled otherwise then. */
  readonly texts: KnownWords | null;
}

/** A longer query is a pasted text. Reading takes as long as the spans of words, on the thread that answers requests. */
const maxTerms = 16;

/**
 * Returns the query as words for more than `maxTerms` words. Words in quotes stay words.
 * @param except - Fields that the search compares already.
 */
export function readQuery(
  list: ListDefinition,
  query: string,
  words: QueryWords,
  except: ReadonlySet<string> = new Set(),
  now: number = Date.now(),
): ReadQuery {
  const { names, texts } = words;
  const written = keywordTerms(query);
  const plain = { parts: [], criteria: [], keyword: written.map(writeTerm).join(' ') };
  if (written.length > maxTerms) return plain;
  const meanings = createMeanings(list, names);
  const isMeaning = (...typed: readonly string[]) =>
    meanings.some((meaning) => meaning(typed).length > 0);
  const split = splitLists(written, texts, isMeaning);
  const rewritten = rewriteTerms(split.length > maxTerms ? written : split, texts);
  const { order, terms } = takeOrder(list, splitDenials(rewritten, texts, isMeaning), now);
  const read = (all: readonly Term[]) =>
    readTerms({ list, names, texts, meanings, except, terms: all, times: [] }, now);
  const found = read(terms);
  const spelled = terms.map((term, at) => (isTaken(found, at) ? term : spell(term, texts)));
  const isSpelled = spelled.some(({ corrected }) => corrected === true);
  const parts = toParts(spelled, isSpelled ? read(spelled) : found);
  return order === null
    ? toReading(list, parts, texts)
    : joinParts([...toReading(list, parts, texts, 0).parts, order]);
}

const toParts = (terms: readonly Term[], meant: readonly Meant[]): readonly QueryPart[] =>
  terms.flatMap((term, at): readonly QueryPart[] => {
    const begun = meant.find(({ start }) => start === at);
    if (begun !== undefined) {
      const { length, criterion } = begun;
      const span = terms.slice(at, at + length).map(({ typed }) => typed);
      const text = span.join(' ').trim();
      return [criterion === null ? { text, leftOut: true } : { text, criterion }];
    }
    if (isTaken(meant, at)) return [];
    const { typed, text, phrase, corrected } = term;
    const keyword = phrase ? writeTerm({ text, phrase }) : text;
    return [{ text: typed, keyword, ...(corrected === true && { corrected }) }];
  });

/**
 * Joins the parts again, without the words that only connect others, and without the words around the number of a record that the list
 * has: `KB5063878 ssd problem` means that update, which says nothing of a problem. A word that no record has is left out beside others.
 *
 * @param least - parts of a reading that would otherwise be empty
 */
function toReading(
  list: ListDefinition,
  all: readonly QueryPart[],
  texts: KnownWords | null,
  least = 1,
): ReadQuery {
  const words = all.map(({ keyword }) => fold(keyword ?? ''));
  const isNamed = words.some((word) => isRecordNumber(word) && (texts?.count(word) ?? 0) > 0);
  const telling = all.filter(({ keyword, leftOut }, at) => {
    const word = words[at] ?? '';
    if (keyword === undefined) return !isNamed || leftOut !== true;
    if (keyword.startsWith('"')) return true;
    return isNamed ? isRecordNumber(word) : !connecting.has(word);
  });
  const parts = telling.length < least ? all : telling;
  const hasNone = ({ keyword }: QueryPart) =>
    keyword !== undefined && texts !== null && isAbsentWord(list, fold(keyword), texts);
  return joinParts(
    parts.every(hasNone) ? parts : parts.map((part) => (hasNone(part) ? leaveOut(part) : part)),
  );
}

/** Returns true for a word that no text has. Phrases, identifiers and pasted packages are asked for as they are. */
const isAbsentWord = (list: ListDefinition, word: string, texts: KnownWords): boolean =>
  !(
    word.startsWith('"') ||
    isIdentifier(word) ||
    parsePackageKeyword(list, word) !== null ||
    texts.has(word)
  );
