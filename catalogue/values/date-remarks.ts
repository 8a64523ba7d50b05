/** Remarks on dates that cannot be read, the same for every vendor. */
import type { Remark } from '../definition/feed.ts';
import { vendorDate } from './vendor-dates.ts';

type ParseDate = (value: unknown) => number | null;

/** Returns the value as written when it is not a date; null when it is a date, missing or empty. */
export function findUnreadableDate(value: unknown, parse: ParseDate = vendorDate): string | null {
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value ?? '');
  const isStated = text !== '' && text !== '""';
  return isStated && parse(value) === null ? text.replaceAll(/\s+/g, ' ').slice(0, 80) : null;
}

/**
 * Yields a remark on each date that cannot be read. A missing date gets none: the row has no date because the vendor states none.
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
      yield {
        kind: 'remark',
        remark: `${record}: ${field} "${unreadable}" is not a date that can be read`,
      };
  }
}
