/** Converts the specification's relative times (`today`, `last_week`) to instants: the server knows only instants. */
import { clockAt, dayAt, startOfDay } from './zoned-day.ts';

/** In the order in which they are offered; `custom` stands for a chosen date. */
export const relativeTimes = [
  'overdue',
  'today',
  'tomorrow',
  'this_week',
  'this_month',
  'last_week',
  'last_month',
  'last_1_hours',
  'last_8_hours',
  'last_24_hours',
  'custom',
] as const;

/** Common spans, offered beside the specification's. */
const daySpans = ['last_7_days', 'last_30_days', 'last_90_days'] as const;

export type RelativeTimeChoice = (typeof relativeTimes)[number] | (typeof daySpans)[number];
/** Relative times in criteria; the search bar's `<30d` is `last_30_days`. */
export type RelativeTime =
  | Exclude<RelativeTimeChoice, 'custom'>
  | `last_${number}_hours`
  | `last_${number}_days`;

export interface When {
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** Both ends are inclusive, in epoch milliseconds. `from` is null without a beginning. */
export interface Interval {
  readonly from: number | null;
  readonly to: number;
}

const lastSpan = /^last_([1-9]\d{0,4})_(hours|days)$/;

export function isRelativeTime(word: string): word is RelativeTime {
  return (
    word !== 'custom' &&
    ((relativeTimes as readonly string[]).includes(word) || lastSpan.test(word))
  );
}

/**
 * Lists the choices of a date picker: no hours for purchases, only week and month for contracts, overdue only for due dates.
 * `custom` comes last.
 */
export function listRelativeTimes({
  module,
  dueBy = false,
}: {
  module?: string;
  dueBy?: boolean;
} = {}): readonly RelativeTimeChoice[] {
  const specified = relativeTimes.filter((choice) => {
    if (choice === 'custom') return false;
    if (module === 'contract') return /week|month/.test(choice);
    if (module === 'purchase' && choice.endsWith('hours')) return false;
    return choice !== 'overdue' || dueBy;
  });
  return [...specified, ...(module === 'contract' ? [] : daySpans), 'custom'];
}

/**
 * Converts a relative time of days, which are the same everywhere: they follow the reader's clock, and only a day before today is
 * overdue.
 */
export function toDayInterval(word: RelativeTime, { now, timeZone }: When): Interval {
  const when = { now: clockAt(now, timeZone), timeZone: 'UTC' };
  const { from, to } = toInterval(word, when);
  return { from, to: word === 'overdue' ? startOfDay(dayAt(when.now, 'UTC'), 'UTC') - 1 : to };
}

export function toInterval(word: RelativeTime, { now, timeZone }: When): Interval {
  const some = lastSpan.exec(word);
  if (some !== null)
    return { from: now - Number(some[1]) * (some[2] === 'days' ? 86_400_000 : 3_600_000), to: now };

  const { year, month, day } = dayAt(now, timeZone);
  const days = (first: number, count: number): Interval => ({
    from: startOfDay({ year, month, day: day + first }, timeZone),
    to: startOfDay({ year, month, day: day + first + count }, timeZone) - 1,
  });
  const monthFrom = (first: number): Interval => ({
    from: startOfDay({ year, month: month + first, day: 1 }, timeZone),
    to: startOfDay({ year, month: month + first + 1, day: 1 }, timeZone) - 1,
  });
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;

  switch (word) {
    case 'overdue':
      return { from: null, to: now };
    case 'today':
      return days(0, 1);
    case 'tomorrow':
      return days(1, 1);
    case 'this_week':
      return days(-sinceMonday, 7);
    case 'last_week':
      return days(-sinceMonday - 7, 7);
    case 'this_month':
      return monthFrom(0);
    case 'last_month':
      return monthFrom(-1);
    default:
      throw new RangeError(`${word} is not a relative time`);
  }
}
