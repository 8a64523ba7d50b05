/** Finds the times of a query with the words before and behind them that say how records lie to them. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { joining } from './grammar-words.ts';
import {
  type DirectedSpan,
  type Direction,
  isYear,
  maxTimeWords,
  readLooseSpan,
  readTimeSpan,
  type TimeSpan,
  yearSpan,
} from './typed-times.ts';

/** A time, with the words that belong to it. */
export interface FoundTime extends DirectedSpan {
  readonly start: number;
  /** Count of terms. */
  readonly length: number;
  /** A word says how records lie to it, so that it is no version of a product. */
  readonly isDirected: boolean;
}

interface TypedTerm {
  /** Folded; empty for a phrase. */
  readonly word: string;
}

const directions = (lines: readonly (readonly [Direction, string])[]) =>
  new Map(
    lines.flatMap(([direction, words]) =>
      words.split(',').map((each): [string, Direction] => [fold(each.trim()), direction]),
    ),
  );

/** Words before a time, one or two. */
const prepositions = directions([
  ['in', 'in, during, within, im, within the, in the'],
  ['before', 'before, prior to, older than, earlier than, vor, vor dem, älter als'],
  ['until', 'until, till, up to, through, by, bis, bis zum'],
  ['since', 'since, from, starting, starting from, between, seit, ab, zwischen'],
  ['after', 'after, newer than, later than, nach, nach dem, neuer als, jünger als'],
]);
/** Words behind a time. */
const postpositions = directions([
  ['before', 'öncesi, önce, öncesinde'],
  ['until', 'or earlier, or older, and earlier, and older, oder früher, oder älter, kadar'],
  [
    'since',
    'or later, or newer, and later, and newer, onward, onwards, beri, itibaren, oder neuer',
  ],
  ['after', 'sonrası, sonra, sonrasında'],
]);
/** Words between the first and the last time of a range, and between those that `between` begins. */
export const upTo = new Set(['to', 'until', 'till', 'through', 'bis', '-', '–']);
const betweenAnd = new Set(['and', 'und']);
const betweenWords = new Set(['between', 'zwischen']);

/** As `not before`, and `no older than`. */
export const deniedDirections: Readonly<Record<Direction, Direction | null>> = {
  in: null,
  before: 'since',
  until: 'after',
  since: 'before',
  after: 'until',
};

/** Two words of a preposition and those of a time. */
const maxDirectedWords = 2 + maxTimeWords;

/**
 * Returns the times from left to right. A year is one only behind a preposition.
 * @param isVersion - whether a number is the version of the word before it: `almalinux 9 november 2024`
 */
export function findTimes(
  terms: readonly TypedTerm[],
  now: number,
  isVersion: (at: number) => boolean,
): readonly FoundTime[] {
  const found: FoundTime[] = [];
  for (let at = 0; at < terms.length; ) {
    const isDay = /^\d{1,2}$/.test(terms[at]?.word ?? '');
    const time = isDay && isVersion(at) ? null : findTimeAt(terms, at, found.at(-1), now);
    if (time === null) {
      at += 1;
      continue;
    }
    const before = found.at(-1);
    // The first of a range begins it.
    if (before?.direction === 'in' && isRangeEnd(terms, before, time))
      found[found.length - 1] = { ...before, direction: 'since', isDirected: true };
    found.push(time);
    at = time.start + time.length;
  }
  return found;
}

const isRangeEnd = (
  terms: readonly TypedTerm[],
  before: FoundTime,
  { start, direction }: FoundTime,
) =>
  direction === 'until' &&
  before.start + before.length === start &&
  upTo.has(terms[start]?.word ?? '');

/** Finds a time whose first word, or the first word that says how records lie to it, is this one. */
function findTimeAt(
  terms: readonly TypedTerm[],
  start: number,
  before: FoundTime | undefined,
  now: number,
): FoundTime | null {
  const words = terms.slice(start, start + maxDirectedWords).map(({ word }) => word);
  const [first = ''] = words;
  const behind = (count: number, direction: Direction): FoundTime | null => {
    const time = readLongest(words.slice(count), (span) => readLoose(span, now));
    return time && { ...time, start, length: count + time.length, direction, isDirected: true };
  };
  const isRange = before !== undefined && before.start + before.length === start;
  if (isRange && isRangeWord(first, terms[before.start]?.word ?? '')) {
    const end = behind(1, 'until');
    if (end !== null) return end;
  }
  for (const size of [2, 1]) {
    const direction = prepositions.get(words.slice(0, size).join(' '));
    const time = direction === undefined ? null : behind(size, direction);
    if (time !== null) return time;
  }
  const time = readLongest(words, (span) => readTimeSpan(span, now));
  return time && withPostposition(words, { ...time, start });
}

const readLoose = (words: readonly string[], now: number) =>
  readTimeSpan(words, now) ?? readLooseSpan(words, now);

/** Reads as many of the first words as are a time. */
function readLongest(
  words: readonly string[],
  read: (span: readonly string[]) => TimeSpan | null,
): { readonly length: number; readonly span: TimeSpan } | null {
  for (let length = Math.min(maxTimeWords, words.length); length > 0; length -= 1) {
    const span = read(words.slice(0, length));
    if (span !== null) return { length, span };
  }
  return null;
}

function withPostposition(
  words: readonly string[],
  time: Pick<FoundTime, 'start' | 'length' | 'span'>,
): FoundTime {
  for (const size of [2, 1]) {
    const behind = words.slice(time.length, time.length + size);
    const direction = behind.length < size ? undefined : postpositions.get(behind.join(' '));
    if (direction !== undefined)
      return { ...time, length: time.length + size, direction, isDirected: true };
  }
  return { ...time, direction: 'in', isDirected: false };
}

const isRangeWord = (word: string, begin: string): boolean =>
  upTo.has(word) || (betweenAnd.has(word) && betweenWords.has(begin));

/**
 * Finds a year that stands alone, and another that continues it: `2022 or 2023`, `2022 to 2024`.
 * @param isFree - whether the term at the index may be a year
 */
export function findYears(
  terms: readonly TypedTerm[],
  isFree: (at: number) => boolean,
): readonly FoundTime[] {
  const isFreeYear = (at: number) => isYear(terms[at]?.word) && isFree(at);
  const start = terms.findIndex((_, at) => isFreeYear(at));
  if (start < 0) return [];
  const toYear = (at: number, direction: Direction): FoundTime => ({
    start: at,
    length: 1,
    span: yearSpan(Number(terms[at]?.word)),
    direction,
    isDirected: direction !== 'in',
  });
  const join = terms[start + 1]?.word ?? '';
  if (!isFreeYear(start + 2)) {
    const words = terms.slice(start).map(({ word }) => word);
    return [withPostposition(words, toYear(start, 'in'))];
  }
  if (upTo.has(join))
    return [toYear(start, 'since'), { ...toYear(start + 2, 'until'), start: start + 1, length: 2 }];
  return joining.has(join) ? [toYear(start, 'in'), toYear(start + 2, 'in')] : [toYear(start, 'in')];
}
