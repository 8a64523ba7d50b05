/** Formats times and durations: 'Sat, Nov 21, 2026 02:05 PM', '12 minutes ago', '3 m 20 s'. */

/** Creates the format of each zone once. */
function cacheFormats(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const format =
      formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    formats.set(timeZone, format);
    return format;
  };
}

const dayParts = { month: 'short', day: '2-digit', year: 'numeric' } as const;
export const dayFormat = cacheFormats(dayParts);
const timeFormat = cacheFormats({
  ...dayParts,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: true,
});

/** Formats as specified: 'ddd, MMM DD, YYYY hh:mm A'. */
export function absoluteTime(value: number, zone: string): string {
  const parts = Object.fromEntries(
    timeFormat(zone)
      .formatToParts(value)
      .map(({ type, value: words }) => [type, words]),
  );
  const { weekday, month, day, year, hour, minute, dayPeriod } = parts;
  return `${weekday}, ${month} ${day}, ${year} ${hour}:${minute} ${dayPeriod}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `from` is the smallest distance for a unit: '35 hours ago' is more exact than '1 day ago'. */
const units = [
  { unit: 'year', long: 365.25 * day, from: 540 * day },
  { unit: 'month', long: 30.4375 * day, from: 45 * day },
  { unit: 'day', long: day, from: 36 * hour },
  { unit: 'hour', long: hour, from: 90 * minute },
  { unit: 'minute', long: minute, from: 50 * second },
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** The shared clock ticks each 15 seconds, so a new event may lie in its future. */
const maxClockLagMs = 20 * second;

export function agoText(value: number, now: number): string {
  const distance = Math.abs(value - now);
  const fitting = units.find(({ from }) => distance >= from);
  if (fitting === undefined) return value - now > maxClockLagMs ? 'in a moment' : 'just now';
  return relative.format(
    Math.sign(value - now) * Math.max(1, Math.floor(distance / fitting.long)),
    fitting.unit,
  );
}

export function durationText(milliseconds: number): string {
  if (milliseconds < second) return 'under 1 s';
  if (milliseconds < minute) return `${Math.round(milliseconds / second)} s`;
  const [large, small, unit, part] =
    milliseconds < hour ? [minute, second, 'm', 's'] : [hour, minute, 'h', 'm'];
  const count = Math.floor(milliseconds / large);
  const rest = Math.floor((milliseconds % large) / small);
  return rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${part}`;
}
