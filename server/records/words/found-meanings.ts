/** Finds the values of fields that the words of a query name, the longest spans first. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { findDenial } from './denied-meanings.ts';
import { isTaken, type NamedValue, type Span } from './found-spans.ts';
import { isGrammar, joining } from './grammar-words.ts';
import { type NameDictionary, tokenize } from './name-dictionary.ts';
import { cveField, type Meaning } from './query-meanings.ts';
import type { Term } from './query-terms.ts';
import type { KnownWords } from './spelling.ts';
import { isYear } from './typed-times.ts';

/** The list and its words, and what of a query is read already. */
export interface ReadingScope {
  readonly list: ListDefinition;
  readonly names: NameDictionary;
  readonly meanings: readonly Meaning[];
  readonly texts: KnownWords | null;
  /** Fields that the search compares already. */
  readonly except: ReadonlySet<string>;
  readonly terms: readonly Term[];
  /** The times of the query. */
  readonly times: readonly Span[];
}

/** More words than this name no product. */
const maxWords = 7;

/** Returns true for a second name of the same: `debian 10` and `buster`. */
const isSame = ({ criterion }: NamedValue, other: FieldCriterion): boolean =>
  JSON.stringify(criterion) === JSON.stringify(other);

const isJoin = (word = ''): boolean => joining.has(word);

const wordsOf = (terms: readonly Term[], { start, length }: Span): readonly string[] =>
  terms.slice(start, start + length).map(({ word }) => word);

export function findMeanings(scope: ReadingScope): readonly NamedValue[] {
  const found: NamedValue[] = [];
  const hasJoined = scope.terms.some(({ word }) => isJoin(word));
  // A value that others join is known after the first turn: `debian or ubuntu or red hat`.
  for (let turn = hasJoined ? 2 : 1; turn > 0; turn -= 1) findIn(scope, found);
  return found;
}

function findIn(scope: ReadingScope, found: NamedValue[]): void {
  const { terms, times, meanings, names } = scope;
  for (let length = Math.min(maxWords, terms.length); length > 0; length -= 1)
    for (const isReordered of length === 1 ? [false] : [false, true])
      for (let start = 0; start + length <= terms.length; start += 1) {
        const span = { start, length };
        const words = wordsOf(terms, span);
        const isFree = (word: string, at: number) =>
          word !== '' && !isTaken(found, start + at) && !isTaken(times, start + at);
        if (!words.every(isFree) || [words[0], words.at(-1)].some(isJoin)) continue;
        const candidates = isReordered
          ? isOfWordBefore(scope, found, start)
            ? []
            : names.findReordered(words)
          : [
              ...findContinued(scope, found, span),
              ...meanings.flatMap((meaning) => meaning(words)),
            ];
        const criterion = preferJoined(scope, found, span, candidates).find((each) =>
          isAllowed(scope, found, { ...span, criterion: each }),
        );
        if (criterion !== undefined) found.push({ ...span, criterion });
      }
}

/** Puts the fields first that a value has which is joined to this one: `debian or ubuntu` are two vendors. */
function preferJoined(
  { terms, meanings }: ReadingScope,
  found: readonly NamedValue[],
  { start, length }: Span,
  candidates: readonly FieldCriterion[],
): readonly FieldCriterion[] {
  if (candidates.length < 2) return candidates;
  const before = isJoin(terms[start - 1]?.word)
    ? found.find((one) => one.start + one.length === start - 1)
    : undefined;
  const next = terms[start + length + 1]?.word ?? '';
  const joined =
    before !== undefined
      ? [before.criterion]
      : isJoin(terms[start + length]?.word) && next !== ''
        ? meanings.flatMap((meaning) => meaning([next]))
        : [];
  const fields = new Set(joined.map(({ paramName }) => paramName));
  return candidates.toSorted(
    (a, b) => Number(fields.has(b.paramName)) - Number(fields.has(a.paramName)),
  );
}

/** Returns true for a number that is the version of the word before it: `postgresql 11 debian` is not Debian 11. */
function isOfWordBefore(
  { terms, meanings, times }: ReadingScope,
  found: readonly NamedValue[],
  start: number,
): boolean {
  const word = terms[start - 1]?.word ?? '';
  const first = terms[start]?.word ?? '';
  if (!/^\d/.test(first) || isYear(first) || word === '' || isGrammar(word)) return false;
  if (isTaken(found, start - 1) || isTaken(times, start - 1)) return false;
  return meanings.every((meaning) => meaning([word]).length === 0);
}

/** A field has one value, unless the values are joined. A flag may be denied though the search compares it already. */
function isAllowed(scope: ReadingScope, found: readonly NamedValue[], one: NamedValue): boolean {
  const { list, terms, names, except } = scope;
  const { paramName } = one.criterion;
  const { kind } = getField(list, paramName);
  const isDenied =
    findDenial(terms, one, (at) => isTaken(found, at), kind === 'flag', paramName) !== null;
  if (except.has(paramName)) return kind === 'flag' && isDenied;
  const others = found.filter(({ criterion }) => criterion.paramName === paramName);
  if (others.length === 0 || others.some((other) => isSame(other, one.criterion))) return true;
  if (kind === 'choice') return true;
  if (!names.has(paramName) && paramName !== cveField) return false;
  return isDenied || others.some((other) => isJoined(terms, other, one));
}

/** Returns true for values with nothing but `or` and the like between them, and for two that stand side by side and name the same kind. */
function isJoined(terms: readonly Term[], one: NamedValue, other: NamedValue): boolean {
  const [left, right] = one.start < other.start ? [one, other] : [other, one];
  const between = terms.slice(left.start + left.length, right.start);
  if (between.length > 0) return between.every(({ word }) => isJoin(word));
  if (terms[right.start - 1]?.isListed === true) return true;
  const [first, second] = [left, right].map((each) => wordsOf(terms, each));
  return (
    first?.[0] === second?.[0] ||
    [left, right].every((each) => isFullName(each, wordsOf(terms, each)))
  );
}

const isFullName = (
  { criterion: { operator, value } }: NamedValue,
  words: readonly string[],
): boolean =>
  operator === 'equal' &&
  tokenize(fold(String(value))).join(' ') === tokenize(words.join(' ')).join(' ');

/** Reads a version that continues a name before it: the second of `rocky 8 and 9`. */
function findContinued(
  scope: ReadingScope,
  found: readonly NamedValue[],
  { start, length }: Span,
): readonly FieldCriterion[] {
  const { terms, names } = scope;
  const [version = ''] = wordsOf(terms, { start, length });
  const before = length > 1 || !/^\d/.test(version) ? null : findNameBefore(terms, found, start);
  const words = before === null ? [] : wordsOf(terms, before);
  return words.length > 1 && /^\d/.test(words.at(-1) ?? '')
    ? names
        .find([...words.slice(0, -1), version])
        .filter(({ paramName }) => paramName === before?.criterion.paramName)
    : [];
}

/** Returns the name that the words which join lead back to, also over other versions: `rocky 8, 9 and 10`. */
function findNameBefore(
  terms: readonly Term[],
  found: readonly NamedValue[],
  start: number,
): NamedValue | null {
  const isListed = terms[start - 1]?.isListed === true;
  if (!isListed && !isJoin(terms[start - 1]?.word)) return null;
  const end = isListed ? start : start - 1;
  const before = found.find((one) => one.start + one.length === end);
  if (before === undefined) return null;
  return before.length > 1 ? before : findNameBefore(terms, found, before.start);
}

/** Fewer words than this are no title. */
const minTitle = 3;

/** A name that the words beside it continue to a title is no name: `windows malicious software removal tool`. */
export function withoutTitles(
  { terms, times, names, texts }: ReadingScope,
  found: readonly NamedValue[],
): readonly NamedValue[] {
  const isFree = (at: number) => {
    const word = terms[at]?.word ?? '';
    return word !== '' && !isGrammar(word) && !isTaken(found, at) && !isTaken(times, at);
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
export const withoutOtherVersions = (
  { terms, times, names }: ReadingScope,
  found: readonly NamedValue[],
): readonly NamedValue[] =>
  found.filter(({ start, length, criterion: { paramName, operator, value } }) => {
    const at = start + length;
    const next = terms[at];
    if (next === undefined || isTaken(found, at) || isTaken(times, at) || !names.has(paramName))
      return true;
    const last = terms[at - 1]?.word ?? '';
    const isVersioned = /\d/.test(last) || /^\d/.test(terms[start]?.word ?? '');
    // A vendor has no versions: `debian 2021` means the year.
    if (isNumber(next)) return isVersioned || (paramName === 'vendor' && isYear(next.word));
    const name = operator === 'equal' ? fold(String(value)) : '';
    const isBeginning = name.includes(last) && !name.endsWith(last);
    return !isBeginning || isVersioned || next.phrase || isGrammar(next.word);
  });
