/** Parses dates as vendors write them into epoch milliseconds. */

import { createRemark, type Remark } from '../definition/feed.ts';
import { toWord } from './vendor-words.ts';

/** Numbers from here on are milliseconds: as seconds they would be beyond the year 5100. */
const firstMilliseconds = 100_000_000_000;

const written =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?: ?(?:(Z|UTC|GMT)|([+-])(\d\d):?(\d\d)))?$/i;

/**
 * Parses epoch seconds or milliseconds as a number or digits, a date, or a date and time with ' ' or 'T', any fraction of a
 * second and any zone (UTC without one). Returns null for a missing value, an impossible date, and a date before 1980 (zero, a
 * number that is not seconds): never 1970, never today.
 */
export function vendorDate(value: unknown): number | null {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^\d+(?:\.\d+)?$/.test(text) ? fromEpoch(Number(text)) : fromCalendar(text);
}

function fromEpoch(number: number): number | null {
  if (!Number.isFinite(number)) return null;
  const milliseconds = Math.trunc(number < firstMilliseconds ? number * 1000 : number);
  return milliseconds >= earliest && milliseconds <= latest ? milliseconds : null;
}

const earliest = Date.UTC(1980, 0, 1);
/** The last instant that a Date can represent. */
const latest = 8_640_000_000_000_000;

function fromCalendar(text: string): number | null {
  const found = written.exec(text);
  if (found === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    ,
    sign,
    zoneHours = '0',
    zoneMinutes = '0',
  ] = found;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const instant = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    milliseconds,
  );
  // Date.UTC rolls 31 February over into March; a vendor's mistake must not become another date.
  const date = new Date(instant);
  const same =
    date.getUTCMonth() + 1 === Number(month) &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute);
  if (!same) return null;
  const east = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const utc = sign === undefined ? instant : sign === '-' ? instant + east : instant - east;
  return utc >= earliest ? utc : null;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns 0 for 'Jan'; null for any other word than the English abbreviations. */
export function parseMonth(name = ''): number | null {
  const month = months.indexOf(name.toLowerCase());
  return month === -1 ? null : month;
}

type ParseDate = (value: unknown) => number | null;

/** Returns the value as written when it is not a date; null when it is a date, missing or empty. */
export function findUnreadableDate(value: unknown, parse: ParseDate = vendorDate): string | null {
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value ?? '');
  const isStated = text !== '' && text !== '""';
  return isStated && parse(value) === null ? text.replaceAll(/\s+/g, ' ').slice(0, 80) : null;
}

const day = 86_400_000;

/**
 * Yields a remark on each date that cannot be read, or that lies in the future. A missing date gets none: the row has no date because the vendor states none.
 * @param dates as written, by the vendor's field name
 */
export function* remarkOnDates(
  record: string,
  dates: Readonly<Record<string, unknown>>,
  parse: ParseDate = vendorDate,
): Generator<Remark> {
  for (const [field, value] of Object.entries(dates)) {
    const unreadable = findUnreadableDate(value, parse);
    if (unreadable !== null)
      yield createRemark(`${record}: ${field} "${unreadable}" is not a date that can be read`);
    const time = parse(value) ?? 0;
    if (time > Date.now() + day)
      yield {
        ...createRemark(`${record}: ${field} "${toWord(value)}" lies in the future`),
        until: time - day,
      };
  }
}
