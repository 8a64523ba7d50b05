/**
 * Reads a query as a person means it: `openssl critical on Debian 12` as the word `openssl`, the severity Critical and the release
 * Debian 12. Products and releases are known from the values of the list itself; the longest reading wins.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { isRelativeTime } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { type KeywordTerm, keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import type { QueryPart, ReadQuery } from '@patch/contract/search-endpoint.ts';
import { exploitedWords, namedVulnerabilities, severityWords, shortForms } from './aliases.ts';
import type { NameDictionary } from './name-dictionary.ts';
import { findSpelling, joinIdentifier, type KnownWords } from './spelling.ts';

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
    'a an and at by for from how in of on the to with',
    'cumulative download fix fixes hotfix latest newest patch patches security update updates vulnerabilities vulnerability',
    'der die das für im mit und sicherheitsupdate sicherheitsupdates sicherheitslücke aktualisierung',
    'icin için ve guvenlik güvenlik guncelleme güncelleme güncellemesi güncelleştirme güncelleştirmesi yama',
  ].flatMap((words) => words.split(' ')),
);

interface Found {
  readonly start: number;
  /** Count of terms. */
  readonly length: number;
  readonly criterion: FieldCriterion;
}

type Meaning = (words: readonly string[]) => readonly FieldCriterion[];

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
  { names, texts }: QueryWords,
  except: ReadonlySet<string> = new Set(),
): ReadQuery {
  const written = keywordTerms(query);
  const plain = { parts: [], criteria: [], keyword: written.map(writeTerm).join(' ') };
  if (written.length > maxTerms) return plain;
  const terms = rewriteTerms(written, texts);
  const meanings = createMeanings(list, names);
  const read = (readTerms: readonly Term[]) => {
    const found = findMeanings(readTerms, meanings, except);
    const kept = withoutOtherVersions(readTerms, found, names);
    const versions = new Set(
      found.filter((one) => !kept.includes(one)).map(({ start, length }) => start + length),
    );
    return readYear(list, readTerms, kept, { except, versions });
  };
  const found = read(terms);
  const spelled = terms.map((term, at) => (isTaken(found, at) ? term : spell(term, texts)));
  const isSpelled = spelled.some(({ corrected }) => corrected === true);
  return toReading(toParts(spelled, isSpelled ? read(spelled) : found));
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
    if (isNumber(next)) return /\d/.test(last);
    const name = operator === 'equal' ? fold(String(value)) : '';
    const isBeginning = name.includes(last) && !name.endsWith(last);
    return !isBeginning || /\d/.test(last) || next.phrase || connecting.has(next.word);
  });

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
    const isTaken = found.some((one) => at >= one.start && at < one.start + one.length);
    return /^(?:19|20)\d\d$/.test(word) && !isTaken && !versions.has(at);
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

/** Joins the parts again, without the words that only connect others. */
function toReading(all: readonly QueryPart[]): ReadQuery {
  const telling = all.filter(
    ({ keyword }) => keyword === undefined || !connecting.has(fold(keyword)),
  );
  const parts = telling.length === 0 ? all : telling;
  return {
    parts,
    criteria: [
      ...new Map(
        parts.flatMap(({ criterion }) =>
          criterion === undefined ? [] : [[criterion.paramName, criterion] as const],
        ),
      ).values(),
    ],
    keyword: parts.flatMap(({ keyword }) => keyword ?? []).join(' '),
  };
}

/** Returns the term as the word of the list that it misspells by one letter, or as it is. */
function spell(term: Term, texts: KnownWords | null): Term {
  const spelled = term.phrase || texts === null ? null : findSpelling(term.word, texts);
  return spelled === null ? term : { ...term, text: spelled, word: spelled, corrected: true };
}

/** Replaces short forms and names of vulnerabilities, and joins identifiers that were typed with spaces. */
function rewriteTerms(terms: readonly KeywordTerm[], texts: KnownWords | null): readonly Term[] {
  const words = terms.map(({ text, phrase }) => (phrase ? '' : fold(text).replace(/[,;?!]+$/, '')));
  const isUnknown = (name: string) => texts === null || !texts.has(name);
  const rewritten: Term[] = [];
  for (let at = 0; at < terms.length; ) {
    const { text, phrase } = terms[at] ?? { text: '', phrase: false };
    const word = words[at] ?? '';
    const pair = `${word} ${words[at + 1] ?? ''}`;
    const isPair = shortForms.has(pair) || (namedVulnerabilities.has(pair) && isUnknown(pair));
    const joined = word === '' || isPair ? null : joinIdentifier(words.slice(at), texts);
    const length = isPair ? 2 : (joined?.length ?? 1);
    const key = isPair ? pair : word;
    const typed = terms
      .slice(at, at + length)
      .map(writeTerm)
      .join(' ');
    const spelling = joined?.text ?? key;
    const cve = namedVulnerabilities.get(spelling);
    const isName = cve !== undefined && isUnknown(spelling);
    const written = isName ? cve : (joined?.text ?? shortForms.get(key));
    if (written === undefined) rewritten.push({ typed, text, phrase, word });
    else
      for (const [n, form] of written
        .split(' ')
        .filter((each) => each !== '')
        .entries())
        rewritten.push({ typed: n === 0 ? typed : '', text: form, phrase: false, word: form });
    at += length;
  }
  return rewritten;
}

/** The readings of some words, the more exact ones first. */
function createMeanings(list: ListDefinition, names: NameDictionary): readonly Meaning[] {
  const date = releaseDateField(list)?.name ?? '';
  return [
    ...list.searchable.flatMap((name): Meaning[] => {
      const { kind, label, choices = [], words: labels = {}, risk } = getField(list, name);
      if (kind === 'flag')
        return [
          (words) => {
            const text = words.join(' ');
            const isNamed =
              fold(label) === text || (risk === 'exploited' && exploitedWords.has(text));
            return isNamed ? [equal(name, true)] : [];
          },
        ];
      if (kind !== 'choice') return [];
      return [
        (words) => {
          const typed = words.join(' ');
          const text = severityWords.get(typed) ?? typed;
          const value = choices.find((choice) =>
            [String(choice), labels[String(choice)] ?? ''].some((each) => fold(each) === text),
          );
          return value === undefined
            ? []
            : [{ paramName: name, operator: 'in', value: [String(value)] }];
        },
      ];
    }),
    // Some lists have the date in the detail alone, where nobody searches.
    ...(list.searchable.includes(date)
      ? [(words: readonly string[]) => readTime(date, words)]
      : []),
    (words) => names.find(words),
  ];
}

const equal = (paramName: string, value: string | boolean): FieldCriterion => ({
  paramName,
  operator: 'equal',
  value,
});

/** Months in the languages of those who use the console, long and short, by folded name. */
const months: ReadonlyMap<string, number> = new Map(
  ['en', 'de', 'tr'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at): [string, number] => [
        fold(format.format(Date.UTC(2024, at, 1))).replace(/\.$/, ''),
        at,
      ]);
    }),
  ),
);

/** Reads `june 2026`, `2026-06`, `this month` and `last 30 days`. */
function readTime(paramName: string, words: readonly string[]): readonly FieldCriterion[] {
  const relative = words.join('_');
  if (isRelativeTime(relative)) return [equal(paramName, relative)];
  const [, year = '', number = ''] =
    /^((?:19|20)\d\d)-(0[1-9]|1[0-2])$/.exec(words.join(' ')) ?? [];
  if (year !== '') return [monthOf(paramName, Number(year), Number(number) - 1)];
  const [word = '', typedYear = '', ...others] = words;
  const month = months.get(word.replace(/\.$/, ''));
  if (month === undefined || others.length > 0 || !/^(?:19|20)\d\d$/.test(typedYear)) return [];
  return [monthOf(paramName, Number(typedYear), month)];
}

const monthOf = (paramName: string, year: number, month: number): FieldCriterion => ({
  paramName,
  operator: 'between',
  value: Date.UTC(year, month, 1),
  toValue: Date.UTC(year, month + 1, 1) - 1,
});
