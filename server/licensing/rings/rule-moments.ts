/** The moments at which a rule makes checkpoints. */

import { knownTimeZone } from '@patch/contract/dates/time-zone.ts';
import { type Day, dayAt, startOfHour, weekdayOf } from '@patch/contract/dates/zoned-day.ts';
import {
  type CheckpointRule,
  weekdays,
} from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';

export type Schedule = Pick<CheckpointRule, 'week' | 'weekday' | 'hour' | 'timeZone'>;

/** Returns the last moment that is not after `now`. */
export const findLastMoment = (schedule: Schedule, now: number): number =>
  momentsAround(schedule, now).findLast((moment) => moment <= now) ?? 0;

/** Returns the first moment after `now`. */
export const findNextMoment = (schedule: Schedule, now: number): number =>
  momentsAround(schedule, now).find((moment) => moment > now) ?? now;

/** Returns the moments of the present week or month, and of the ones before and after. */
function momentsAround(schedule: Schedule, now: number): readonly number[] {
  const { week, hour } = schedule;
  const timeZone = knownTimeZone(schedule.timeZone);
  const today = dayAt(now, timeZone);
  const days =
    week === null
      ? [-7, 0, 7].map((more) => ({ ...today, day: today.day - daysSince(schedule, today) + more }))
      : [-1, 0, 1].map((more) => dayOfMonth(schedule, week, today.month + more, today.year));
  return days.map((each) => startOfHour(each, hour, timeZone));
}

function dayOfMonth(schedule: Schedule, week: number, month: number, year: number): Day {
  const last = { year, month, day: 7 * week };
  return { ...last, day: last.day - daysSince(schedule, last) };
}

/** Returns how many days before the day the weekday of the schedule was: 0 to 6. */
const daysSince = ({ weekday }: Schedule, day: Day): number =>
  (weekdayOf(day) - weekdays.indexOf(weekday) + 7) % 7;

/** Returns the date of a moment in the schedule's time zone: `2026-12-08`. */
export function dateOf({ timeZone }: Schedule, moment: number): string {
  const { year, month, day } = dayAt(moment, knownTimeZone(timeZone));
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
