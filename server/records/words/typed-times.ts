/** Times as people write them: `june 2026`, `12 may 2026`, `last 6 months`, `before 2024`, `from january 2026 to march 2026`. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { isRelativeTime } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';

const dayMs = 86_400_000;

/** A time without words around it. Both ends are inclusive, in epoch milliseconds. */
export type TimeSpan =
  | { readonly from: number; readonly to: number }
  /** `last_30_days`; `isDuration` for a span that ends now. */
  | { readonly relative: string; readonly isDuration: boolean };

/** How records lie to a time: `since` includes it, `after` begins behind it. */
export type Direction = 'in' | 'before' | 'until' | 'since' | 'after';

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

/** English words of times by German and Turkish ones, and by those that mean the same. */
const translations: ReadonlyMap<string, string> = new Map(
  [
    ['last', 'past previous letzte letzten letzter letztes letztem son'],
    ['this', 'current diese diesen dieser dieses diesem bu'],
    ['hours', 'hour stunde stunden saat'],
    ['days', 'day tag tage tagen gün'],
    ['weeks', 'week woche wochen hafta'],
    ['months', 'month monat monate monaten monats ay'],
    ['years', 'year jahr jahre jahren jahres yıl'],
    ['today', 'heute bugün'],
    ['yesterday', 'gestern dün'],
  ].flatMap(([word = '', others = '']) =>
    others.split(' ').map((other): [string, string] => [fold(other), word]),
  ),
);

const getMonth = (word = ''): number | undefined => months.get(word.replace(/\.$/, ''));
export const isYear = (word = ''): boolean => /^(?:19|20)\d\d$/.test(word);

const daySpan = (year: number, month: number, day: number): TimeSpan | null => {
  const from = Date.UTC(year, month, day);
  const isDay = new Date(from).getUTCMonth() === month && day > 0;
  return isDay ? { from, to: from + dayMs - 1 } : null;
};
const monthSpan = (year: number, month: number): TimeSpan => ({
  from: Date.UTC(year, month, 1),
  to: Date.UTC(year, month + 1, 1) - 1,
});
export const yearSpan = (year: number): TimeSpan => ({
  from: Date.UTC(year, 0, 1),
  to: Date.UTC(year + 1, 0, 1) - 1,
});

/** Words of the longest time: `12th of may 2026`. */
export const maxTimeWords = 4;

/** Reads folded words that are a time by themselves: neither a year nor a month alone is. */
export const readTimeSpan = (words: readonly string[], now: number): TimeSpan | null =>
  readRelative(
    words.map((word) => translations.get(word) ?? word),
    now,
  ) ?? readDate(words);

/** Reads words that are a time behind a preposition: also a year, the latest month of a name that has begun, and `30 days`. */
export function readLooseSpan(words: readonly string[], now: number): TimeSpan | null {
  const [word = '', ...others] = words;
  if (others.length === 1 && /^\d+$/.test(word)) return readTimeSpan(['last', ...words], now);
  if (others.length > 0) return null;
  if (isYear(word)) return yearSpan(Number(word));
  const month = getMonth(word);
  if (month === undefined) return null;
  const today = new Date(now);
  return monthSpan(today.getUTCFullYear() - (month > today.getUTCMonth() ? 1 : 0), month);
}

function readRelative(words: readonly string[], now: number): TimeSpan | null {
  const [first = '', second = '', unit = ''] = words;
  const today = new Date(now);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  if (words.length === 1 && first === 'yesterday') return dayBefore(now);
  if (words.length === 2 && second === 'years')
    return first === 'this' ? yearSpan(year) : first === 'last' ? yearSpan(year - 1) : null;
  const written = words.length === 2 ? [first, second.replace(/s$/, '')] : words;
  const relative = written.join('_');
  if (isRelativeTime(relative)) return { relative, isDuration: /_(?:hours|days)$/.test(relative) };
  if (words.length !== 3 || first !== 'last' || !/^[1-9]\d{0,2}$/.test(second)) return null;
  const count = Number(second);
  const startOfToday = Date.UTC(year, month, day);
  const begins = {
    weeks: startOfToday - 7 * count * dayMs,
    months: Date.UTC(year, month - count, day),
    years: Date.UTC(year - count, month, day),
  }[unit];
  if (begins === undefined) return null;
  const days = `last_${Math.round((startOfToday - begins) / dayMs)}_days`;
  return isRelativeTime(days) ? { relative: days, isDuration: true } : null;
}

function dayBefore(now: number): TimeSpan {
  const from = Math.floor(now / dayMs) * dayMs - dayMs;
  return { from, to: from + dayMs - 1 };
}

/** Reads `2026-06`, `2026-05-12`, `05/2026`, `12.05.2026`, `june 2026`, `12th of may 2026` and `may 12 2026`. */
function readDate(words: readonly string[]): TimeSpan | null {
  const text = words.join(' ');
  const [, isoYear, isoMonth, isoDay] =
    /^((?:19|20)\d\d)[-/](\d\d)(?:[-/](\d\d))?$/.exec(text) ?? [];
  if (isoYear !== undefined) {
    const month = Number(isoMonth) - 1;
    if (month < 0 || month > 11) return null;
    return isoDay === undefined
      ? monthSpan(Number(isoYear), month)
      : daySpan(Number(isoYear), month, Number(isoDay));
  }
  const [, dotDay, dotMonth, dotYear] = /^(\d\d)\.(\d\d)\.((?:19|20)\d\d)$/.exec(text) ?? [];
  if (dotYear !== undefined) return daySpan(Number(dotYear), Number(dotMonth) - 1, Number(dotDay));
  const [, slashMonth, slashYear] = /^(0[1-9]|1[0-2])[./]((?:19|20)\d\d)$/.exec(text) ?? [];
  if (slashYear !== undefined) return monthSpan(Number(slashYear), Number(slashMonth) - 1);
  const year = words.at(-1);
  if (!isYear(year)) return null;
  const named = words.slice(0, -1).filter((word) => word !== 'of');
  const at = named.findIndex((word) => getMonth(word) !== undefined);
  const month = getMonth(named[at]);
  if (month === undefined) return null;
  if (named.length === 1) return monthSpan(Number(year), month);
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th)?\.?$/.exec(named[1 - at] ?? '') ?? [];
  return named.length === 2 && day !== undefined ? daySpan(Number(year), month, Number(day)) : null;
}

/** Returns the first and the last moment of records that lie so to the time; null where these depend on the moment of the search. */
function toRange(span: TimeSpan, direction: Direction): readonly [number, number] | null {
  if ('relative' in span) return null;
  const { from, to } = span;
  switch (direction) {
    case 'in':
      return [from, to];
    case 'before':
      return [Number.NEGATIVE_INFINITY, from - 1];
    case 'until':
      return [Number.NEGATIVE_INFINITY, to];
    case 'since':
      return [from, Number.POSITIVE_INFINITY];
    case 'after':
      return [to + 1, Number.POSITIVE_INFINITY];
  }
}

export interface DirectedSpan {
  readonly span: TimeSpan;
  readonly direction: Direction;
}

const relativeOperators = {
  in: 'equal',
  before: 'less_than',
  until: 'less_than_or_equal',
  since: 'greater_than_or_equal',
  after: 'greater_than',
} as const;

/** A duration has no end that records lie behind: `older than 30 days` is before it began, `newer than 30 days` within it. */
const durationDirections: Readonly<Record<Direction, Direction>> = {
  in: 'in',
  before: 'before',
  until: 'before',
  since: 'in',
  after: 'in',
};

/** Returns one criterion for the first of the times and those that narrow it or continue it, and which of them it means. */
export function toTimeCriterion<Time extends DirectedSpan>(
  paramName: string,
  [first, ...others]: readonly Time[],
): { readonly criterion: FieldCriterion; readonly times: readonly Time[] } | null {
  if (first === undefined) return null;
  const { span, direction } = first;
  if ('relative' in span) {
    const lies = span.isDuration ? durationDirections[direction] : direction;
    const criterion = { paramName, operator: relativeOperators[lies], value: span.relative };
    return { criterion, times: [first] };
  }
  let [low, high] = toRange(span, direction) ?? [0, 0];
  const times = [first];
  for (const other of others) {
    const range = toRange(other.span, other.direction);
    if (range === null) continue;
    const isOpen = other.direction !== 'in' || times.some((time) => time.direction !== 'in');
    const isNext = range[0] === high + 1 || range[1] === low - 1;
    if (!isOpen && !isNext) continue;
    const narrowed: readonly [number, number] = isOpen
      ? [Math.max(low, range[0]), Math.min(high, range[1])]
      : [Math.min(low, range[0]), Math.max(high, range[1])];
    if (narrowed[0] > narrowed[1]) continue;
    [low, high] = narrowed;
    times.push(other);
  }
  return { criterion: rangeCriterion(paramName, low, high), times };
}

function rangeCriterion(paramName: string, low: number, high: number): FieldCriterion {
  if (low === Number.NEGATIVE_INFINITY)
    return { paramName, operator: 'less_than', value: high + 1 };
  if (high === Number.POSITIVE_INFINITY)
    return { paramName, operator: 'greater_than_or_equal', value: low };
  return { paramName, operator: 'between', value: low, toValue: high };
}
