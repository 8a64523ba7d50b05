/** Schedules as five-field cron in UTC: validation, description and next times. */
import { CronExpressionParser } from 'cron-parser';
import { toString as describeCron } from 'cronstrue';

/** Returns the next times, soonest first. Throws for an invalid schedule. */
export function getNextTimes(cron: string, now: number, count: number): number[] {
  const times = CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: new Date(now) });
  return times.take(count).map((time) => time.getTime());
}

/** Returns a description such as 'At 35 minutes past the hour, every 4 hours (UTC)'. */
export function describeSchedule(cron: string): string {
  return `${describeCron(cron, { use24HourTimeFormat: true, verbose: false })} (UTC)`;
}

/** Returns null for a valid schedule, or a message that says what is wrong and what is allowed. */
export function findScheduleProblem(cron: string): string | null {
  const allowed =
    "Write five fields, minute, hour, day of the month, month and weekday, in UTC: '15 3 * * *' is every day at 03:15.";
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5)
    return `The schedule '${cron}' has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}. ${allowed}`;
  const odd = fields.find((field) => !/^(?:[\d*,/-]|(?<![a-z])[a-z]{3}(?![a-z]))+$/i.test(field));
  if (odd !== undefined)
    return `The schedule '${cron}' cannot be used: '${odd}' is more than numbers, names such as MON and the signs * , - and /. ${allowed}`;
  try {
    getNextTimes(cron, 0, 1);
    describeSchedule(cron);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The schedule '${cron}' cannot be used: ${reason}. ${allowed}`;
  }
}
