/** Calendar days in a time zone and the instants at which they begin. */

/** A day of the calendar; month and day count from 1 and may lie outside their range: day 0 is the last one of the month before. */
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

/** What a clock in the zone shows, read as though it stood in UTC; whole seconds. */
export function clockAt(instant: number, timeZone: string): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of formatIn(timeZone).formatToParts(instant))
    shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** How far the zone's clocks are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const second = Math.floor(instant / 1000) * 1000;
  return clockAt(second, timeZone) - second;
}

export function dayAt(instant: number, timeZone: string): Day {
  const clock = new Date(clockAt(instant, timeZone));
  return { year: clock.getUTCFullYear(), month: clock.getUTCMonth() + 1, day: clock.getUTCDate() };
}

/**
 * The first instant of the day. Where midnight comes twice it is the earlier one; where clocks skip midnight it is the
 * instant of the change. Throws RangeError for a zone that does not exist.
 */
export function startOfDay(day: Day, timeZone: string): number {
  return startOfHour(day, 0, timeZone);
}

/** The instant at which the day's clock shows the hour, by the same rules. */
export function startOfHour({ year, month, day }: Day, hour: number, timeZone: string): number {
  const shown = Date.UTC(year, month - 1, day, hour);
  const before = offsetAt(shown - 86_400_000, timeZone);
  const after = offsetAt(shown + 86_400_000, timeZone);
  const candidates = [shown - Math.max(before, after), shown - Math.min(before, after)];
  // None shows it: it is skipped. What is skipped begins with the hour of the change, so the offset before names the change.
  return (
    candidates.find((instant) => instant + offsetAt(instant, timeZone) === shown) ?? shown - before
  );
}
