/** The hour at which a daily email is due, in its recipient's time zone. */

import { isTimeZone } from '@patch/contract/dates/time-zone.ts';
import { dayAt, startOfHour } from '@patch/contract/dates/zoned-day.ts';

/** Returns the person's own zone, else the service's, else that of the browser at setup. Unknown zones are skipped. */
export function ownerZone(own: string | null, service: string | null, browser: string): string {
  return [own, service, browser].find((zone) => zone !== null && isTimeZone(zone)) ?? 'UTC';
}

/** Returns the last instant at which the zone's clock showed the hour. */
export function findLastTime(hour: number, timeZone: string, now: number): number {
  const today = dayAt(now, timeZone);
  const due = startOfHour(today, hour, timeZone);
  return due <= now ? due : startOfHour({ ...today, day: today.day - 1 }, hour, timeZone);
}

const dayMs = 24 * 3_600_000;

/**
 * Returns whether an email last handled at `doneAt` was to be sent since. A time over a day ahead comes from a clock that was set
 * back since.
 * @param last The last time at which it was to be sent.
 */
export const isMissed = (doneAt: number, last: number, now: number): boolean =>
  doneAt < last || doneAt > now + dayMs;

/** Returns whether a daily email last handled at `doneAt` is due. */
export const isDailyDue = (doneAt: number, hour: number, timeZone: string, now: number): boolean =>
  isMissed(doneAt, findLastTime(hour, timeZone, now), now);

/** Returns the next instant at which the zone's clock shows the hour. */
export function findNextTime(hour: number, timeZone: string, now: number): number {
  const today = dayAt(now, timeZone);
  const due = startOfHour(today, hour, timeZone);
  return due > now ? due : startOfHour({ ...today, day: today.day + 1 }, hour, timeZone);
}
