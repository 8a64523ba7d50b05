/**
 * antd's date picker shows the clock of the machine it runs on; a criterion is asked on the clock of the reader's zone.
 * What the picker holds is therefore a local time that reads as the zone's clock does.
 */
import { startOfDay } from '@patch/contract/dates/zoned-day.ts';
import type { WriteInstant } from '@patch/contract/form-rules/number-rules.ts';
import dayjs, { type Dayjs } from 'dayjs';

function clockIn(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const {
    year = 0,
    month = 1,
    day = 1,
    hour = 0,
    minute = 0,
  } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(year, month - 1, day, hour, minute);
}

export function pickerTime(at: number, zone: string): Dayjs {
  const clock = new Date(clockIn(zone, at));
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

/** The instant at which the zone's clock shows what the picker does, seconds zeroed; the earlier one where it shows it twice. */
export function instantPicked(picked: Dayjs, zone: string): number {
  const shown = Date.UTC(
    picked.year(),
    picked.month(),
    picked.date(),
    picked.hour(),
    picked.minute(),
  );
  const ahead = (at: number) => clockIn(zone, at) - Math.floor(at / 60_000) * 60_000;
  const candidates = [shown - ahead(shown - 86_400_000), shown - ahead(shown + 86_400_000)];
  return candidates.find((at) => clockIn(zone, at) === shown) ?? Math.max(...candidates);
}

export interface ChosenAs {
  /** To the minute; else the whole day, from its beginning or until its end. */
  readonly withTime: boolean;
  readonly endOfDay: boolean;
}

/** The instant that a choice stands for; 0 is none. */
export function instantChosen(
  picked: Dayjs | null,
  zone: string,
  { withTime, endOfDay }: ChosenAs,
): number {
  if (picked === null) return 0;
  const day = { year: picked.year(), month: picked.month() + 1, day: picked.date() };
  if (withTime) return instantPicked(picked, zone);
  return endOfDay ? startOfDay({ ...day, day: day.day + 1 }, zone) - 1 : startOfDay(day, zone);
}

/** As the specification has dates typed, and named in the messages of its date rules. */
export const timeFormat = 'DD/MM/YYYY hh:mm A';

export const writeInstant =
  (zone: string): WriteInstant =>
  (at) =>
    pickerTime(at, zone).format(timeFormat);

/** Whether a chosen instant lies beyond its bounds, which belong to what is allowed. */
export const isOutside = (at: number, min = -Infinity, max = Infinity): boolean =>
  at !== 0 && (at < min || at > max);
