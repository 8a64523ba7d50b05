import type { ReportMail } from '@patch/contract/reports/report-mail-endpoints.ts';
import { expect, test } from 'vitest';
import { reportMailTimes } from './report-mail-times.ts';

type When = Pick<ReportMail, 'day' | 'hour' | 'timeZone'>;
const berlin = { timeZone: 'Europe/Berlin', hour: 8 } as const;
const timesOf = (when: When, now: string) => {
  const { last, next } = reportMailTimes(when, Date.parse(now));
  return [last, next].map((time) => new Date(time).toISOString());
};

// Clocks of Berlin went forward on 29 March 2026, a Sunday, and back on 25 October 2026, a Sunday.
test.each<[string, When, string, string, string]>([
  [
    'before the hour of the day',
    { ...berlin, day: 'monday' },
    '2026-03-30T07:59:59.999+02:00',
    '2026-03-23T08:00:00+01:00',
    '2026-03-30T08:00:00+02:00',
  ],
  [
    'at the hour itself',
    { ...berlin, day: 'monday' },
    '2026-03-30T08:00:00+02:00',
    '2026-03-30T08:00:00+02:00',
    '2026-04-06T08:00:00+02:00',
  ],
  [
    'in the week in which clocks go back',
    { ...berlin, day: 'saturday' },
    '2026-10-26T12:00:00+01:00',
    '2026-10-24T08:00:00+02:00',
    '2026-10-31T08:00:00+01:00',
  ],
  [
    'at an hour that clocks skip',
    { ...berlin, hour: 2, day: 'sunday' },
    '2026-03-28T12:00:00+01:00',
    '2026-03-22T02:00:00+01:00',
    '2026-03-29T01:00:00Z',
  ],
  [
    'at an hour that clocks show twice',
    { ...berlin, hour: 2, day: 'sunday' },
    '2026-10-25T02:30:00+01:00',
    '2026-10-25T02:00:00+02:00',
    '2026-11-01T02:00:00+01:00',
  ],
  [
    'on a day that has begun in the zone alone',
    { timeZone: 'Pacific/Auckland', hour: 0, day: 'tuesday' },
    '2026-06-01T12:00:00Z',
    '2026-06-02T00:00:00+12:00',
    '2026-06-09T00:00:00+12:00',
  ],
  [
    'at the end of a month of 31 days',
    { ...berlin, day: 'first_of_month' },
    '2026-01-31T23:59:00+01:00',
    '2026-01-01T08:00:00+01:00',
    '2026-02-01T08:00:00+01:00',
  ],
  [
    'at the end of February of a leap year',
    { ...berlin, day: 'first_of_month' },
    '2028-02-29T12:00:00+01:00',
    '2028-02-01T08:00:00+01:00',
    '2028-03-01T08:00:00+01:00',
  ],
  [
    'over the end of a year, before the hour',
    { ...berlin, day: 'first_of_month' },
    '2027-01-01T07:59:00+01:00',
    '2026-12-01T08:00:00+01:00',
    '2027-01-01T08:00:00+01:00',
  ],
  [
    'over the change of clocks within a month',
    { ...berlin, day: 'first_of_month' },
    '2026-03-31T12:00:00+02:00',
    '2026-03-01T08:00:00+01:00',
    '2026-04-01T08:00:00+02:00',
  ],
  [
    'in UTC for a zone that is not known any more',
    { ...berlin, timeZone: 'Nowhere/Former', day: 'first_of_month' },
    '2026-03-31T12:00:00Z',
    '2026-03-01T08:00:00Z',
    '2026-04-01T08:00:00Z',
  ],
])('finds the last and the next moment %s', (_, when, now, last, next) => {
  expect(timesOf(when, now)).toEqual([last, next].map((time) => new Date(time).toISOString()));
});
