/**
 * Reads a query as a person means it: `openssl critical on Debian 12` as the word `openssl`, the severity Critical and the release
 * Debian 12. Products and releases are known from the values of the list itself; the longest reading wins.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { type KeywordTerm, keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import type { QueryPart, ReadQuery } from '@patch/contract/search-endpoint.ts';
import { parsePackageKeyword } from '../criteria/keyword-parts.ts';
import { namedVulnerabilities, shortForms } from './aliases.ts';
import type { NameDictionary } from './name-dictionary.ts';
import { createMeanings, type Meaning } from './query-meanings.ts';
import { takeOrder } from './query-order.ts';
import { isIdentifier, isRecordNumber, joinParts } from './query-parts.ts';
import { leaveOut } from './shorter-readings.ts';
import { findSpelling, type Joined, joinIdentifier, type KnownWords } from './spelling.ts';

export interface QueryWords {
  readonly names: NameDictionary;
  /** Null while the texts of the list are not in memory. Nothing is spelled otherwise then. */
  readonly texts: KnownWords | null;
}

/** A longer query is a pasted text. Reading takes as long as the spans of words, on the thread that answers requests. */
const maxTerms = 16;
/** More words than this name no product. */
const maxWords = 7;

/** Words that only connect others, and those that say of a record of patches what all are. They are dropped beside others. */
const connecting = new Set(
  [
    'a an and are at by came come do does for from has have how i in is need of on out please that the there to was were what which with',
    'cumulative current download fix fixes hotfix latest newest patch patches release security update updates version vulnerabilities vulnerability',
    'bitte der die das für ich im ist kam mit und was welche wie sicherheitsupdate sicherheitsupdates sicherheitslücke sicherheitslücken schwachstelle schwachstellen',
    'aktualisieren aktualisierung aktuell aktuelle aktuelles kumulativ kumulative kumulatives neu neue neueste neuestes herunterladen',
    'icin için lütfen nasıl ve guvenlik güvenlik guncelleme güncelleme güncellemesi güncelleştirme güncelleştirmesi yama',
    'açık açığı açıkları güncel indir son sürüm sürümü toplu',
  ].flatMap((words) => words.split(' ').map(fold)),
);

interface Found {
  readonly start: number;
  /** Count of terms. */
  readonly length: number;
  readonly criterion: FieldCriterion;
}

/** A term of the query, after identifiers and short forms were replaced. */
interface Term extends KeywordTerm {
  /** As typed. */
  readonly typed: string;
  /** Folded; empty for a phrase. */
  readonly word: string;
  /** No record has the typed word. */
  readonly corrected?: boolean;
}

/**
 * Returns the query as words for more than `maxTerms` words. Words in quotes stay words.
 * @param except - Fields that the search compares already.
 */
export function readQuery(
  list: ListDefinition,
  query: string,
  words: QueryWords,
  except: ReadonlySet<string> = new Set(),
): ReadQuery {
  const { names, texts } = words;
  const written = keywordTerms(query);
  const plain = { parts: [], criteria: [], keyword: written.map(writeTerm).join(' ') };
  if (written.length > maxTerms) return plain;
  const { order, terms } = takeOrder(list, rewriteTerms(written, texts));
  const meanings = createMeanings(list, names);
  const read = (readTerms: readonly Term[]) => {
    const all = findMeanings(readTerms, meanings, except);
    const found = withoutTitles(readTerms, all, words);
    const kept = withoutOtherVersions(readTerms, found, names);
    // A number in a name, or behind one, is no year.
    const versions = new Set(
      all
        .filter((one) => !kept.includes(one))
        .flatMap(({ start, length }) => Array.from({ length: length + 1 }, (_, n) => start + n)),
    );
    return readYear(list, readTerms, kept, { except, versions });
  };
  const found = read(terms);
  const spelled = terms.map((term, at) => (isTaken(found, at) ? term : spell(term, texts)));
  const isSpelled = spelled.some(({ corrected }) => corrected === true);
  const parts = toParts(spelled, isSpelled ? read(spelled) : found);
  return order === null
    ? toReading(list, parts, texts)
    : joinParts([...toReading(list, parts, texts, 0).parts, order]);
}

/** Returns true for a second name of the same: `debian 10` and `buster`. */
const isSame = ({ criterion }: Found, other: FieldCriterion): boolean =>
  JSON.stringify(criterion) === JSON.stringify(other);

const isTaken = (found: readonly Found[], at: number): boolean =>
  found.some(({ start, length }) => at >= start && at < start + length);

/** Finds what the terms mean, the longest spans first. */
function findMeanings(
  terms: readonly Term[],
  meanings: readonly Meaning[],
  except: ReadonlySet<string>,
): Found[] {
  const found: Found[] = [];
  for (let length = Math.min(maxWords, terms.length); length > 0; length -= 1)
    for (let start = 0; start + length <= terms.length; start += 1) {
      const span = terms.slice(start, start + length);
      if (span.some(({ word }, at) => word === '' || isTaken(found, start + at))) continue;
      const used = new Set([...except, ...found.map(({ criterion }) => criterion.paramName)]);
      const words = span.map(({ word }) => word);
      const criterion = meanings
        .flatMap((meaning) => meaning(words))
        .find((each) => !used.has(each.paramName) || found.some((one) => isSame(one, each)));
      if (criterion !== undefined) found.push({ start, length, criterion });
    }
  return found;
}

const toParts = (terms: readonly Term[], found: readonly Found[]): readonly QueryPart[] =>
  terms.flatMap((term, at): readonly QueryPart[] => {
    const begun = found.find(({ start }) => start === at);
    if (begun !== undefined) {
      const span = terms.slice(at, at + begun.length).map(({ typed }) => typed);
      return [{ text: span.join(' ').trim(), criterion: begun.criterion }];
    }
    if (isTaken(found, at)) return [];
    const { typed, text, phrase, corrected } = term;
    const keyword = phrase ? writeTerm({ text, phrase }) : text;
    return [{ text: typed, keyword, ...(corrected === true && { corrected }) }];
  });

/** Fewer words than this are no title. */
const minTitle = 3;

/** A name that the words beside it continue to a title is no name: `windows malicious software removal tool`. */
function withoutTitles(
  terms: readonly Term[],
  found: readonly Found[],
  { names, texts }: QueryWords,
): Found[] {
  const isFree = (at: number) => {
    const word = terms[at]?.word ?? '';
    return word !== '' && !connecting.has(word) && !isTaken(found, at);
  };
  return found.filter(({ start, length, criterion }) => {
    if (!names.has(criterion.paramName)) return true;
    let [from, to] = [start, start + length];
    while (isFree(from - 1)) from -= 1;
    while (isFree(to)) to += 1;
    if (to - from === length || to - from < minTitle) return true;
    const span = terms.slice(from, to).map(({ word }) => word);
    return texts?.isInTitle(span) !== true;
  });
}

const isNumber = (term: Term | undefined) => /^\d+(?:\.\d+)*$/.test(term?.word ?? '');

/**
 * A number behind a name without one is its version: who types `office 2019` means no other Office. And a word behind the beginning of
 * one name continues it otherwise: `visual c++` is no Visual Studio.
 */
const withoutOtherVersions = (
  terms: readonly Term[],
  found: readonly Found[],
  names: NameDictionary,
): Found[] =>
  found.filter(({ start, length, criterion: { paramName, operator, value } }) => {
    const next = terms[start + length];
    if (next === undefined || isTaken(found, start + length) || !names.has(paramName)) return true;
    const last = terms[start + length - 1]?.word ?? '';
    // A vendor has no versions: `debian 2021` means the year.
    if (isNumber(next)) return /\d/.test(last) || (paramName === 'vendor' && isYear(next.word));
    const name = operator === 'equal' ? fold(String(value)) : '';
    const isBeginning = name.includes(last) && !name.endsWith(last);
    return !isBeginning || /\d/.test(last) || next.phrase || connecting.has(next.word);
  });

const isYear = (word: string) => /^(?:19|20)\d\d$/.test(word);

/** Reads a year that is no version of the name before it. */
function readYear(
  list: ListDefinition,
  terms: readonly Term[],
  found: Found[],
  { except, versions }: { except: ReadonlySet<string>; versions: ReadonlySet<number> },
): Found[] {
  const date = releaseDateField(list)?.name ?? '';
  const used = except.has(date) || found.some(({ criterion }) => criterion.paramName === date);
  if (used || !list.searchable.includes(date)) return found;
  const start = terms.findIndex(({ word }, at) => {
    return isYear(word) && !isTaken(found, at) && !versions.has(at);
  });
  if (start < 0) return found;
  const year = Number(terms[start]?.word);
  const criterion: FieldCriterion = {
    paramName: date,
    operator: 'between',
    value: Date.UTC(year, 0, 1),
    toValue: Date.UTC(year + 1, 0, 1) - 1,
  };
  return [...found, { start, length: 1, criterion }];
}

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
  const telling = all.filter(({ keyword }, at) => {
    const word = words[at] ?? '';
    if (keyword === undefined || keyword.startsWith('"')) return true;
    return isNamed ? isRecordNumber(word) : !connecting.has(word);
  });
  const parts = telling.length < least ? all : telling;
  const isAbsent = ({ keyword }: QueryPart) =>
    keyword !== undefined && texts !== null && isAbsentWord(list, fold(keyword), texts);
  return joinParts(
    parts.every(isAbsent) ? parts : parts.map((part) => (isAbsent(part) ? leaveOut(part) : part)),
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

/** Returns the term as the word of the list that it misspells by one letter, or as it is. */
function spell(term: Term, texts: KnownWords | null): Term {
  const isKept = term.phrase || connecting.has(term.word);
  const spelled = isKept || texts === null ? null : findSpelling(term.word, texts);
  return spelled === null ? term : { ...term, text: spelled, word: spelled, corrected: true };
}

/** Returns the word without the marks that end a sentence. */
const withoutMarks = (text: string): string => text.replace(/(?<=.)[.,:;?!)]+$/, '');

/** Replaces short forms and names of vulnerabilities, and joins identifiers that were typed with spaces. */
function rewriteTerms(terms: readonly KeywordTerm[], texts: KnownWords | null): readonly Term[] {
  const words = terms.map(({ text, phrase }) => (phrase ? '' : fold(withoutMarks(text))));
  const rewritten: Term[] = [];
  for (let at = 0; at < terms.length; ) {
    const { text: written, phrase } = terms[at] ?? { text: '', phrase: false };
    const text = phrase ? written : withoutMarks(written);
    const word = words[at] ?? '';
    const found = word === '' ? null : findRewriting(words.slice(at), texts);
    const span = terms.slice(at, at + (found?.length ?? 1));
    const typed = span.map(writeTerm).join(' ');
    if (found === null) rewritten.push({ typed, text, phrase, word });
    else rewritten.push(...toTerms(typed, found.text));
    at += span.length;
  }
  return rewritten;
}

/** The first of the terms has the typed text of all. */
const toTerms = (typed: string, text: string): readonly Term[] =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word, at) => ({ typed: at === 0 ? typed : '', text: word, phrase: false, word }));

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
  const text = findCve(word) ?? shortForms.get(word) ?? splitVersion(word, texts);
  return text === undefined ? null : { text, length: 1 };
}

/** Returns `debian 12` for `debian12`, where no record writes them as one. */
function splitVersion(word: string, texts: KnownWords | null): string | undefined {
  const [, name = '', version = ''] = /^(\p{L}{2,})(\d+(?:\.\d+)*)$/u.exec(word) ?? [];
  const isJoined = name === '' || texts === null || isIdentifier(word) || texts.has(word);
  return isJoined || texts.count(name) === 0 ? undefined : `${name} ${version}`;
}
