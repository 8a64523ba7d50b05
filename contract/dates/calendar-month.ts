/** A calendar month in UTC, as lists compare release dates: `2026-06`. */

export const monthPattern = /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/;

export interface CalendarMonth {
  /** `2026-06` */
  readonly key: string;
  /** `June 2026` */
  readonly label: string;
  /** Epoch milliseconds: its first moment and that of the next month. */
  readonly from: number;
  readonly to: number;
  /** The second Tuesday, on which Microsoft releases, and the next day. */
  readonly tuesday: number;
  readonly wednesday: number;
  readonly previous: string;
  readonly next: string;
}

const dayMs = 86_400_000;
const tuesdayOfWeek = 2;

/** @throws RangeError for a text that is no month. */
export function toCalendarMonth(key: string): CalendarMonth {
  if (!monthPattern.test(key)) throw new RangeError(`'${key}' is not a month such as 2026-06`);
  const [year = 0, month = 0] = key.split('-').map(Number);
  const from = Date.UTC(year, month - 1, 1);
  const untilTuesday = (tuesdayOfWeek - new Date(from).getUTCDay() + 7) % 7;
  const tuesday = from + (untilTuesday + 7) * dayMs;
  return {
    key,
    label: new Date(from).toLocaleDateString('en', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
    from,
    to: Date.UTC(year, month, 1),
    tuesday,
    wednesday: tuesday + dayMs,
    previous: monthKeyOf(Date.UTC(year, month - 2, 1)),
    next: monthKeyOf(Date.UTC(year, month, 1)),
  };
}

export const monthKeyOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
