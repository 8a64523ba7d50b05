/** The terms of a query: its words without marks, with short forms, names of vulnerabilities and identifiers written as records do. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { type KeywordTerm, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import { namedVulnerabilities, shortForms } from './aliases.ts';
import { isGrammar } from './grammar-words.ts';
import { isIdentifier } from './query-parts.ts';
import { findSpelling, type Joined, joinIdentifier, type KnownWords } from './spelling.ts';
import { readTimeSpan } from './typed-times.ts';

/** A term of the query, after identifiers and short forms were replaced. */
export interface Term extends KeywordTerm {
  /** As typed. */
  readonly typed: string;
  /** Folded; empty for a phrase. */
  readonly word: string;
  /** No record has the typed word. */
  readonly corrected?: boolean;
  /** A comma follows. */
  readonly isListed?: boolean;
}

/** Returns the term as the word of the list that it misspells by one letter, or as it is. */
export function spell(term: Term, texts: KnownWords | null): Term {
  const isKept = term.phrase || isGrammar(term.word);
  const spelled = isKept || texts === null ? null : findSpelling(term.word, texts);
  return spelled === null ? term : { ...term, text: spelled, word: spelled, corrected: true };
}

/** Returns the word without the marks that end a sentence. */
const withoutMarks = (text: string): string => text.replace(/(?<=.)[.,:;?!)]+$/, '');

/** Replaces short forms and names of vulnerabilities, and joins identifiers that were typed with spaces. */
export function rewriteTerms(
  terms: readonly KeywordTerm[],
  texts: KnownWords | null,
): readonly Term[] {
  const words = terms.map(({ text, phrase }) => (phrase ? '' : fold(withoutMarks(text))));
  const rewritten: Term[] = [];
  for (let at = 0; at < terms.length; ) {
    const { text: written, phrase } = terms[at] ?? { text: '', phrase: false };
    const text = phrase ? written : withoutMarks(written);
    const word = words[at] ?? '';
    const found = word === '' ? null : findRewriting(words.slice(at), texts);
    const span = terms.slice(at, at + (found?.length ?? 1));
    const typed = span.map(writeTerm).join(' ');
    const isListed = span.at(-1)?.text.endsWith(',') === true;
    if (found === null) rewritten.push({ typed, text, phrase, word, isListed });
    else rewritten.push(...toTerms(typed, found.text, isListed));
    at += span.length;
  }
  return rewritten;
}

/** The first of the terms has the typed text of all. */
function toTerms(typed: string, text: string, isListed: boolean): readonly Term[] {
  const words = text.split(' ').filter((word) => word !== '');
  return words.map((word, at) => ({
    typed: at === 0 ? typed : '',
    text: word,
    phrase: false,
    word,
    isListed: isListed && at === words.length - 1,
  }));
}

/** Returns what the first words are written as, and their number; null when they are written as they are. */
function findRewriting(words: readonly string[], texts: KnownWords | null): Joined | null {
  const findCve = (name: string) => {
    const cve = namedVulnerabilities.get(name);
    // A longer word is another name: a package is called `heartbleeder`.
    return cve !== undefined && (texts?.count(name) ?? 0) > 0 ? undefined : cve;
  };
  const pair = words.slice(0, 2).join(' ');
  const ofPair = shortForms.get(pair) ?? findCve(pair);
  if (words.length > 1 && ofPair !== undefined) return { text: ofPair, length: 2 };
  const joined = joinIdentifier(words, texts);
  if (joined !== null) return { ...joined, text: findCve(joined.text) ?? joined.text };
  const [word = ''] = words;
  const [, number] = /^cu(\d+)$/.exec(word) ?? [];
  // Titles have `(CU 24)` and `Cumulative Update 15`: both begin with these letters.
  if (number !== undefined && texts?.has(word) !== true) return { text: `cu ${number}`, length: 1 };
  const text =
    findCve(word) ?? shortForms.get(word) ?? splitVersion(word, texts) ?? splitEdition(word, texts);
  return text === undefined ? null : { text, length: 1 };
}

/** Returns `debian 12` for `debian12`, where no record writes them as one. */
function splitVersion(word: string, texts: KnownWords | null): string | undefined {
  const [, name = '', version = ''] = /^(\p{L}{2,})(\d+(?:\.\d+)*)$/u.exec(word) ?? [];
  const isJoined = name === '' || texts === null || isIdentifier(word) || texts.has(word);
  return isJoined || texts.count(name) === 0 ? undefined : `${name} ${version}`;
}

/** Returns `2012 r2` for `2012r2`, where no record writes them as one. */
function splitEdition(word: string, texts: KnownWords | null): string | undefined {
  const [, year = '', edition = ''] = /^((?:19|20)\d\d)(r\d|sp\d)$/.exec(word) ?? [];
  return year === '' || texts?.has(word) === true
    ? undefined
    : `${year} ${shortForms.get(edition) ?? edition}`;
}

/** Writes `critical/important` and the versions of `windows 10/11` as three words, where each part means a value or no record has the word. */
export function splitLists(
  terms: readonly KeywordTerm[],
  texts: KnownWords | null,
  isMeaning: (...words: readonly string[]) => boolean,
): readonly KeywordTerm[] {
  return terms.flatMap((term, at): readonly KeywordTerm[] => {
    const pieces = term.phrase ? [] : withoutMarks(term.text).split(/([/,])/);
    const word = fold(withoutMarks(term.text));
    if (pieces.length < 3 || pieces.includes('') || readTimeSpan([word], 0) !== null) return [term];
    const before = fold(terms[at - 1]?.text ?? '');
    const parts = pieces.filter((_, n) => n % 2 === 0).map(fold);
    const isList =
      texts?.has(word) === false ||
      parts.every((part) => isMeaning(part) || isMeaning(before, part));
    return isList ? pieces.map((text) => ({ text, phrase: false })) : [term];
  });
}

/** Writes `unexploited`, `non-critical` and `-debian` as a denial and a value of a list. */
export const splitDenials = (
  terms: readonly Term[],
  texts: KnownWords | null,
  isMeaning: (word: string) => boolean,
): readonly Term[] =>
  terms.flatMap((term): readonly Term[] => {
    const [, denied] = /^(?:un-?|non-?|not-|[-!])(\p{L}.+)$/u.exec(term.word) ?? [];
    if (denied === undefined || !isMeaning(denied)) return [term];
    return isMeaning(term.word) || (texts?.count(term.word) ?? 0) > 0
      ? [term]
      : toTerms(term.typed, `not ${denied}`, term.isListed === true);
  });
