/** Schedules as five-field cron, in UTC: their next times, their words, and what is wrong with one. */
import { CronExpressionParser } from 'cron-parser';
import { toString as wordsOf } from 'cronstrue';

/** Those that come next, soonest first. Throws when the schedule is none. */
export function nextTimes(cron: string, now: number, count: number): number[] {
  const times = CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: new Date(now) });
  return times.take(count).map((time) => time.getTime());
}

/** 'At 35 minutes past the hour, every 4 hours (UTC)' */
export function scheduleWords(cron: string): string {
  return `${wordsOf(cron, { use24HourTimeFormat: true, verbose: false })} (UTC)`;
}

/** What is wrong with it, in a sentence that says what is allowed; null when it is a schedule. */
export function scheduleProblem(cron: string): string | null {
  const allowed =
    "Write five fields, minute, hour, day of the month, month and weekday, in UTC: '15 3 * * *' is every day at 03:15.";
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5)
    return `The schedule '${cron}' has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}. ${allowed}`;
  const odd = fields.find((field) => !/^(?:[\d*,/-]|(?<![a-z])[a-z]{3}(?![a-z]))+$/i.test(field));
  if (odd !== undefined)
    return `The schedule '${cron}' cannot be used: '${odd}' is more than numbers, names such as MON and the signs * , - and /. ${allowed}`;
  try {
    nextTimes(cron, 0, 1);
    scheduleWords(cron);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The schedule '${cron}' cannot be used: ${reason}. ${allowed}`;
  }
}
