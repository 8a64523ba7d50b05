/** Formats dates, including impossible ones of vendors. */
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { dayAt } from '@patch/contract/dates/zoned-day.ts';
import { absoluteTime, agoText, dayFormat } from '../widgets/time-text.ts';

/** Largest time value of a JavaScript Date, in milliseconds. */
const maxTime = 8.64e15;
export const isInstant = (at: number): boolean => Math.abs(at) <= maxTime;

/** Formats as 'Mar 12, 2024'. A number outside the range of Date is returned as a number. */
export function dayDate(at: number, zone: string): string {
  return isInstant(at) ? dayFormat(zone).format(at) : String(at);
}

/** Formats as 'Tue, Mar 12, 2024 05:00 PM'. */
export function exactDate(at: number, zone: string): string {
  return isInstant(at) ? absoluteTime(at, zone) : String(at);
}

const relativeDays = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dayMs = 86_400_000;

/**
 * Describes a day relative to today: today, tomorrow, 12 days ago.
 * @param zone - The reader's time zone, which decides what today is.
 */
export function dayAgo(at: number, now: number, zone: string): string {
  const { year, month, day } = dayAt(now, zone);
  const today = Date.UTC(year, month - 1, day);
  const dayStart = Math.floor(at / dayMs) * dayMs;
  const days = (dayStart - today) / dayMs;
  return Math.abs(days) < 2 ? relativeDays.format(days, 'day') : agoText(dayStart, today);
}

/** Texts of a date: day, exact time, age. The zone is null for a field with the precision `day`. */
export function dateTexts(
  field: Pick<Field, 'precision'>,
  at: number,
  { zone, now }: { readonly zone: string; readonly now: number },
): {
  readonly day: string;
  readonly exact: string;
  readonly ago: string;
  readonly zone: string | null;
} {
  if (field.precision === 'day') {
    const day = dayDate(at, 'UTC');
    return { day, exact: day, ago: dayAgo(at, now, zone), zone: null };
  }
  return { day: dayDate(at, zone), exact: exactDate(at, zone), ago: agoText(at, now), zone };
}
