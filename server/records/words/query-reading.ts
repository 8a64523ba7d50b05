/**
 * Reads a query as a person means it: `openssl critical on Debian 12` as the word `openssl`, the severity Critical and the release
 * Debian 12. Products and releases are known from the values of the list itself; the longest reading wins.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { isRelativeTime } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import { codeNames, rebuilds } from './release-aliases.ts';

/** The values of the fields of words of a list, as stored, without those of restricted fields. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

export interface QueryReading {
  /** Never empty. A field occurs once. */
  readonly criteria: readonly FieldCriterion[];
  /** What was not understood, and identifiers as the vendors write them. */
  readonly keyword: string;
}

/** A longer query is a pasted text. Reading takes as long as the spans of words, on the thread that answers requests. */
const maxTerms = 16;
/** More words than this name no product. */
const maxWords = 7;
/** More values than this are no answer to a word: `microsoft` as every product of Microsoft. */
const maxValues = 100;

/** Words that only connect others. They are dropped where a criterion was understood. */
const connecting = new Set(
  'a an and at by der die für for from icin için im in of on the und ve with'.split(' '),
);
/** Words in names of products that people leave out. */
const noise = new Set(['version', 'lts', 'the', 'gnu', 'linux']);

/** Publishers in names of products of lists without a vendor. */
const publishersOfProducts = ['microsoft', 'apple'];

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
type Found = Readonly<Record<'start' | 'length', number>> & { readonly criterion: FieldCriterion };

/**
 * Returns null where no part of the query is the value of a searchable field, and for more than `maxTerms` words. Words in quotes
 * stay words.
 * @param except - Fields that the search compares already.
 */
export function readQuery(
  list: ListDefinition,
  query: string,
  known: KnownValues,
  except: ReadonlySet<string> = new Set(),
): QueryReading | null {
  const terms = keywordTerms(query);
  if (terms.length > maxTerms) return null;
  const words = terms.map(({ text, phrase }) => (phrase ? '' : fold(text).replace(/[,;]+$/, '')));
  const meanings = createMeanings(list, known);
  const taken = new Set<number>();
  const found: Found[] = [];
  for (let length = Math.min(maxWords, words.length); length > 0; length -= 1) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const span = words.slice(start, start + length);
      const places = span.map((_, at) => start + at);
      if (span.includes('') || places.some((at) => taken.has(at))) continue;
      const used = new Set([...except, ...found.map(({ criterion }) => criterion.paramName)]);
      const criterion = firstMeaning(meanings, span, used);
      if (criterion === null) continue;
      for (const at of places) taken.add(at);
      found.push({ start, length, criterion });
    }
  }
  if (found.length === 0) return null;
  const left = terms.filter(
    ({ phrase }, at) => !taken.has(at) && (phrase || !connecting.has(words[at] ?? '')),
  );
  return {
    criteria: found.toSorted((a, b) => a.start - b.start).map(({ criterion }) => criterion),
    keyword: left.map(writeTerm).join(' '),
  };
}

type Meaning = (words: readonly string[]) => FieldCriterion | null;

/** Returns the first meaning of the words as a field that is not `used` yet. */
function firstMeaning(
  meanings: readonly Meaning[],
  words: readonly string[],
  used: ReadonlySet<string>,
): FieldCriterion | null {
  for (const read of meanings) {
    const criterion = read(words);
    if (criterion !== null && !used.has(criterion.paramName)) return criterion;
  }
  return null;
}

/** The readings of some words, the more exact ones first. */
function createMeanings(list: ListDefinition, known: KnownValues): readonly Meaning[] {
  const publishers = new Set([...(known.get('vendor') ?? []).map(fold), ...publishersOfProducts]);
  const fields = list.searchable.map((name) => ({ name, ...getField(list, name) }));
  const date = releaseDateField(list)?.name ?? '';
  return [
    ...fields.flatMap(({ name, kind, label, choices = [], words: labels = {} }): Meaning[] => {
      if (kind === 'flag')
        return [(words) => (fold(label) === words.join(' ') ? equal(name, true) : null)];
      if (kind !== 'choice') return [];
      return [
        (words) => {
          const text = words.join(' ');
          const value = choices.find((choice) =>
            [String(choice), labels[String(choice)] ?? ''].some((each) => fold(each) === text),
          );
          return value === undefined
            ? null
            : { paramName: name, operator: 'in', value: [String(value)] };
        },
      ];
    }),
    // Some lists have the date in the detail alone, where nobody searches.
    ...(list.searchable.includes(date)
      ? [(words: readonly string[]) => readTime(date, words)]
      : []),
    ...Array.from(known)
      .filter(([name]) => list.searchable.includes(name) && getField(list, name).kind !== 'choice')
      .map(([name, values]) => nameReading(name, values, publishers)),
  ];
}

const equal = (paramName: string, value: string | boolean): FieldCriterion => ({
  paramName,
  operator: 'equal',
  value,
});

/** Reads `june 2026`, `this month` and `last 30 days`. */
function readTime(paramName: string, words: readonly string[]): FieldCriterion | null {
  const relative = words.join('_');
  if (isRelativeTime(relative)) return equal(paramName, relative);
  const [word = '', year = '', ...others] = words;
  const month = months.findIndex((name) => name === word || name.slice(0, 3) === word);
  if (month < 0 || others.length > 0 || !/^(?:19|20)\d\d$/.test(year)) return null;
  return {
    paramName,
    operator: 'between',
    value: Date.UTC(Number(year), month, 1),
    toValue: Date.UTC(Number(year), month + 1, 1) - 1,
  };
}

interface KnownName {
  readonly value: string;
  readonly tokens: readonly string[];
}

/** Returns the names by each of their words, because a query has many spans of words and a list thousands of names. */
function indexNames(values: readonly string[]): ReadonlyMap<string, readonly KnownName[]> {
  const byToken = new Map<string, KnownName[]>();
  for (const value of values) {
    const tokens = tokenize(value);
    for (const token of new Set(tokens)) {
      const named = byToken.get(token);
      if (named === undefined) byToken.set(token, [{ value, tokens }]);
      else named.push({ value, tokens });
    }
  }
  return byToken;
}

/** Reads the names of products, releases and vendors among these values. */
function nameReading(
  paramName: string,
  values: readonly string[],
  publishers: ReadonlySet<string>,
): Meaning {
  const names = indexNames(values);
  return (words) => {
    const typed = words.join(' ');
    const readings = expandAliases(tokenize(typed));
    const named = readings.flatMap((reading) =>
      (names.get(reading[0] ?? '') ?? []).filter(({ tokens }) =>
        isNamed(tokens, reading, publishers),
      ),
    );
    const matched = [...new Set(named.map(({ value }) => value))];
    const [first] = matched;
    if (first === undefined || matched.length > maxValues) return null;
    if (matched.length === 1) return equal(paramName, first);
    return matched.every((value) => fold(value).includes(typed))
      ? { paramName, operator: 'contains', value: typed }
      : { paramName, operator: 'in', value: matched };
  };
}

/**
 * Returns true when the words are the name, its beginning (a publisher may precede it), or a part of it that has a number:
 * `sql server` and `server 2022`, but neither `server` nor `2022` alone.
 */
function isNamed(
  tokens: readonly string[],
  words: readonly string[],
  publishers: ReadonlySet<string>,
): boolean {
  if (words.length === 0 || words.length > tokens.length) return false;
  const at = tokens.findIndex((_, start) => words.every((word, n) => tokens[start + n] === word));
  if (at <= 0) return at === 0;
  const isTold = publishers.has(tokens.slice(0, at).join(' ')) || words.some(hasDigit);
  return isTold && words.some(hasLetter);
}

const hasDigit = (word: string) => /\d/.test(word);
const hasLetter = (word: string) => /\p{L}/u.test(word);

/** Returns the folded words of a name without those that people leave out, unless they are all of it. */
function tokenize(name: string): readonly string[] {
  const tokens = fold(name)
    .split(/[^\p{L}\p{N}.+#]+/u)
    .filter((token) => token !== '');
  const telling = tokens.filter((token) => !noise.has(token));
  return telling.length > 0 ? telling : tokens;
}

/** Returns the words, and those that the vendors write for them: `bookworm` and `debian bookworm` as `debian 12`. */
function expandAliases(words: readonly string[]): readonly (readonly string[])[] {
  const last = words.at(-1) ?? '';
  const named = codeNames.get(last);
  if (named !== undefined && words.slice(0, -1).every((word) => named.startsWith(`${word} `)))
    return [words, tokenize(named)];
  const [, version] = /^(?:el|rhel|red hat enterprise) ?(\d+)$/.exec(words.join(' ')) ?? [];
  if (version === undefined) return [words];
  return [words, ...rebuilds.map((family) => tokenize(`${family} ${version}`))];
}
