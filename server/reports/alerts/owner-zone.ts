/** The hour at which a daily mail is due, on the clock of whom it is for. */

import { isTimeZone } from '@patch/contract/dates/time-zone.ts';
import { dayAt, startOfHour } from '@patch/contract/dates/zoned-day.ts';

/** The person's own zone, else the service's, else that of the browser in which it was set. One that is unknown here counts as none. */
export function ownerZone(own: string | null, service: string | null, browser: string): string {
  return [own, service, browser].find((zone) => zone !== null && isTimeZone(zone)) ?? 'UTC';
}

/** When the zone's clock last showed the hour. */
export function lastTimeOf(hour: number, timeZone: string, now: number): number {
  const today = dayAt(now, timeZone);
  const due = startOfHour(today, hour, timeZone);
  return due <= now ? due : startOfHour({ ...today, day: today.day - 1 }, hour, timeZone);
}

const dayMs = 24 * 3_600_000;

/** Whether a daily mail is due that was last seen to at `doneAt`; a time more than a day ahead is of a clock that was set back since. */
export function isDailyDue(doneAt: number, hour: number, timeZone: string, now: number): boolean {
  return doneAt < lastTimeOf(hour, timeZone, now) || doneAt > now + dayMs;
}

/** When it shows it next. */
export function nextTimeOf(hour: number, timeZone: string, now: number): number {
  const today = dayAt(now, timeZone);
  const due = startOfHour(today, hour, timeZone);
  return due > now ? due : startOfHour({ ...today, day: today.day + 1 }, hour, timeZone);
}
