/** The moments at which a report is sent by email: a day of each week, or the first of each month, at an hour of a time zone. */
import { knownTimeZone } from '@patch/contract/dates/time-zone.ts';
import { type Day, dayAt, startOfHour, weekdayOf } from '@patch/contract/dates/zoned-day.ts';
import { type ReportMail, reportMailDays } from '@patch/contract/reports/report-mail-endpoints.ts';

/** Returns the last moment that is not after `now`, and the next one. */
export function reportMailTimes(
  { day, hour, timeZone: stored }: Pick<ReportMail, 'day' | 'hour' | 'timeZone'>,
  now: number,
): { readonly last: number; readonly next: number } {
  const timeZone = knownTimeZone(stored);
  const today = dayAt(now, timeZone);
  const daysAhead = reportMailDays.indexOf(day) - weekdayOf(today);
  /** The day in this week or month, or in one that many after it. */
  const inTurn = (turns: number): Day =>
    day === 'first_of_month'
      ? { ...today, month: today.month + turns, day: 1 }
      : { ...today, day: today.day + daysAhead + 7 * turns };
  const at = (turns: number) => startOfHour(inTurn(turns), hour, timeZone);
  return at(0) <= now ? { last: at(0), next: at(1) } : { last: at(-1), next: at(0) };
}
