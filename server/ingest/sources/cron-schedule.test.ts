import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { expect, test } from 'vitest';
import { describeSchedule, findScheduleProblem, getNextTimes } from './cron-schedule.ts';

test('returns the next times in UTC, soonest first', () => {
  const times = getNextTimes('35 */4 * * *', Date.parse('2026-11-20T23:35:00Z'), 3);
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2026-11-21T00:35:00.000Z',
    '2026-11-21T04:35:00.000Z',
    '2026-11-21T08:35:00.000Z',
  ]);
});

test.each([
  ['35 */4 * * *', 'At 35 minutes past the hour, every 4 hours (UTC)'],
  ['15 3 * * *', 'At 03:15 (UTC)'],
  ['5 3,15 * * *', 'At 03:05 and 15:05 (UTC)'],
  ['0 22 * * 1-5', 'At 22:00, Monday through Friday (UTC)'],
  ['*/15 * * * *', 'Every 15 minutes (UTC)'],
])('describes %s as: %s', (cron, words) => {
  expect(describeSchedule(cron)).toBe(words);
  expect(findScheduleProblem(cron)).toBeNull();
});

test('accepts the schedule of every feed', () => {
  for (const { schedule } of Object.values(vendorFeeds))
    expect(findScheduleProblem(schedule)).toBeNull();
});

test.each([
  ['', 'has 1 field.'],
  ['@daily', 'has 1 field.'],
  ['0 15 3 * * *', 'has 6 fields.'],
  ['61 * * * *', 'Constraint error, got value 61 expected range 0-59.'],
  ['*/0 * * * *', 'cannot repeat at every 0 time.'],
  ['0 0 31 2 *', 'Invalid explicit day of month definition.'],
  ['0 0 * * abc', 'cannot resolve alias "abc".'],
  ['H * * * *', "'H' is more than numbers"],
  ['0 0 L * *', "'L' is more than numbers"],
  ['0 0 * * 1#2', "'1#2' is more than numbers"],
])("refuses '%s': %s", (cron, reason) => {
  expect(findScheduleProblem(cron)).toContain(reason);
  expect(findScheduleProblem(cron)).toContain("'15 3 * * *' is every day at 03:15.");
});
