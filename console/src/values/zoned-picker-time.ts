/**
 * Converts between instants and the times of antd's date picker, which supports only the machine's zone. The picker therefore gets
 * a local time that reads like the time in the reader's zone.
 */
import { clockAt, startOfDay } from '@patch/contract/dates/zoned-day.ts';
import type { WriteInstant } from '@patch/contract/form-rules/number-rules.ts';
import dayjs, { type Dayjs } from 'dayjs';

/** Returns the zone's local time as if it were UTC, in whole minutes. */
const toZoneClock = (zone: string, at: number): number =>
  Math.floor(clockAt(at, zone) / 60_000) * 60_000;

export function pickerTime(at: number, zone: string): Dayjs {
  const clock = new Date(toZoneClock(zone, at));
  return dayjs(
    new Date(
      clock.getUTCFullYear(),
      clock.getUTCMonth(),
      clock.getUTCDate(),
      clock.getUTCHours(),
      clock.getUTCMinutes(),
    ),
  );
}

/** Returns the instant that the zone's clock shows like the picker, with zero seconds; the earlier one of a repeated hour. */
export function instantPicked(picked: Dayjs, zone: string): number {
  const shown = Date.UTC(
    picked.year(),
    picked.month(),
    picked.date(),
    picked.hour(),
    picked.minute(),
  );
  const offsetAt = (at: number) => toZoneClock(zone, at) - Math.floor(at / 60_000) * 60_000;
  const candidates = [shown - offsetAt(shown - 86_400_000), shown - offsetAt(shown + 86_400_000)];
  return candidates.find((at) => toZoneClock(zone, at) === shown) ?? Math.max(...candidates);
}

export interface ChoicePrecision {
  /** With time the choice is a minute, without it the start or end of a day. */
  readonly withTime: boolean;
  readonly endOfDay: boolean;
}

/** Returns the instant of a choice; 0 for an empty one. */
export function instantChosen(
  picked: Dayjs | null,
  zone: string,
  { withTime, endOfDay }: ChoicePrecision,
): number {
  if (picked === null) return 0;
  const day = { year: picked.year(), month: picked.month() + 1, day: picked.date() };
  if (withTime) return instantPicked(picked, zone);
  return endOfDay ? startOfDay({ ...day, day: day.day + 1 }, zone) - 1 : startOfDay(day, zone);
}

/** Format of the specification for typed dates and for messages of date rules. */
export const timeFormat = 'DD/MM/YYYY hh:mm A';

/** Format of days of fields whose times are not shown. */
export const dayFormat = 'DD/MM/YYYY';

export const writeInstant =
  (zone: string, format: typeof timeFormat | typeof dayFormat = timeFormat): WriteInstant =>
  (at) =>
    pickerTime(at, zone).format(format);

/** Bounds are inclusive. */
export const isOutside = (at: number, min = -Infinity, max = Infinity): boolean =>
  at !== 0 && (at < min || at > max);
