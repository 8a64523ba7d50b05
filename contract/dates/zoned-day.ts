/** Calendar days in a time zone, and the instants at which they begin. */

/** A calendar day; month and day count from 1 and may be out of range: day 0 is the last day of the month before. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** Returns the zone's local time as if it were UTC, in whole seconds. */
export function clockAt(instant: number, timeZone: string): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of formatIn(timeZone).formatToParts(instant))
    shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns how far the zone is ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const second = Math.floor(instant / 1000) * 1000;
  return clockAt(second, timeZone) - second;
}

export function dayAt(instant: number, timeZone: string): Day {
  const clock = new Date(clockAt(instant, timeZone));
  return { year: clock.getUTCFullYear(), month: clock.getUTCMonth() + 1, day: clock.getUTCDate() };
}

/**
 * Returns the first instant of the day: the earlier one when midnight occurs twice, and the instant of the change when clocks
 * skip midnight. Throws RangeError for an unknown zone.
 */
export function startOfDay(day: Day, timeZone: string): number {
  return startOfHour(day, 0, timeZone);
}

/** Returns the instant at which the day's clock shows the hour, by the same rules. */
export function startOfHour({ year, month, day }: Day, hour: number, timeZone: string): number {
  const shown = Date.UTC(year, month - 1, day, hour);
  const before = offsetAt(shown - 86_400_000, timeZone);
  const after = offsetAt(shown + 86_400_000, timeZone);
  const candidates = [shown - Math.max(before, after), shown - Math.min(before, after)];
  // No instant shows a skipped hour. It begins with the clock change, which the offset before yields.
  return (
    candidates.find((instant) => instant + offsetAt(instant, timeZone) === shown) ?? shown - before
  );
}

/** Returns the weekday in the order of ISO 8601: 0 is Monday. A day beyond its month counts on. */
export const weekdayOf = ({ year, month, day }: Day): number =>
  (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
