import { specified } from '@patch/catalogue/testing/specified.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isRelativeTime,
  listRelativeTimes,
  type RelativeTime,
  toInterval,
} from './relative-date.ts';
import { dayAt, startOfDay } from './zoned-day.ts';

const at = (iso: string) => Date.parse(iso);

describe('toInterval on a Wednesday in Berlin, after a clock change on Sunday', () => {
  const when = { now: at('2024-04-03T10:00:00+02:00'), timeZone: 'Europe/Berlin' };
  test.each<[RelativeTime, string, string]>([
    ['today', '2024-04-03T00:00:00+02:00', '2024-04-04T00:00:00+02:00'],
    ['tomorrow', '2024-04-04T00:00:00+02:00', '2024-04-05T00:00:00+02:00'],
    ['this_week', '2024-04-01T00:00:00+02:00', '2024-04-08T00:00:00+02:00'],
    ['last_week', '2024-03-25T00:00:00+01:00', '2024-04-01T00:00:00+02:00'],
    ['this_month', '2024-04-01T00:00:00+02:00', '2024-05-01T00:00:00+02:00'],
    ['last_month', '2024-03-01T00:00:00+01:00', '2024-04-01T00:00:00+02:00'],
  ])('%s', (word, from, end) => {
    expect(toInterval(word, when)).toEqual({ from: at(from), to: at(end) - 1 });
  });

  test('counts hours and days back from now', () => {
    expect(toInterval('last_8_hours', when)).toEqual({
      from: when.now - 8 * 3_600_000,
      to: when.now,
    });
    expect(toInterval('last_30_days', when)).toEqual({
      from: when.now - 30 * 86_400_000,
      to: when.now,
    });
    expect(toInterval('overdue', when)).toEqual({ from: null, to: when.now });
  });
});

test('ends a week on Sunday, and finds December before January', () => {
  const when = { now: at('2024-01-07T23:59:59Z'), timeZone: 'UTC' };
  expect(toInterval('this_week', when)).toEqual({
    from: at('2024-01-01T00:00Z'),
    to: at('2024-01-08T00:00Z') - 1,
  });
  expect(toInterval('last_month', when)).toEqual({
    from: at('2023-12-01T00:00Z'),
    to: at('2024-01-01T00:00Z') - 1,
  });
});

test.each([
  ['Europe/Berlin', { year: 2024, month: 3, day: 31 }, '2024-03-30T23:00:00Z', 23],
  ['Europe/Berlin', { year: 2024, month: 10, day: 27 }, '2024-10-26T22:00:00Z', 25],
  // Clocks skip from midnight to one o'clock.
  ['Africa/Cairo', { year: 2024, month: 4, day: 26 }, '2024-04-25T22:00:00Z', 23],
  // Midnight occurs twice.
  ['America/Havana', { year: 2024, month: 11, day: 3 }, '2024-11-03T04:00:00Z', 25],
  ['Australia/Lord_Howe', { year: 2024, month: 4, day: 7 }, '2024-04-06T13:00:00Z', 24.5],
  ['Asia/Kathmandu', { year: 2024, month: 4, day: 7 }, '2024-04-06T18:15:00Z', 24],
])('starts in %s the day %j at %s with %d hours', (timeZone, day, begin, hours) => {
  const from = startOfDay(day, timeZone);
  expect(new Date(from).toISOString()).toBe(new Date(begin).toISOString());
  expect(startOfDay({ ...day, day: day.day + 1 }, timeZone) - from).toBe(hours * 3_600_000);
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Havana',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];
const words: RelativeTime[] = [
  'today',
  'tomorrow',
  'this_week',
  'this_month',
  'last_week',
  'last_month',
];
// Instants near the clock changes of these zones as well as any other.
const instants = fc.oneof(
  fc.integer({ min: at('2015-01-01T00:00Z'), max: at('2035-01-01T00:00Z') }),
  fc
    .tuple(
      fc.constantFrom(
        '2024-03-10',
        '2024-03-31',
        '2024-04-07',
        '2024-04-26',
        '2024-09-08',
        '2024-10-27',
        '2024-11-03',
      ),
      fc.integer({ min: -36, max: 36 }),
    )
    .map(([day, hours]) => at(`${day}T00:00Z`) + hours * 3_600_000),
);

test('puts an instant in its own day, week and month, which follow each other without gaps', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (now, timeZone) => {
      const of = (word: RelativeTime, then = now) => toInterval(word, { now: then, timeZone });
      for (const word of words) {
        const { from, to } = of(word);
        expect(from).toBeLessThan(to);
      }
      for (const word of ['today', 'this_week', 'this_month'] as const) {
        const { from, to } = of(word);
        expect(from).toBeLessThanOrEqual(now);
        expect(to).toBeGreaterThanOrEqual(now);
        // The interval is the same seen from its beginning and from its end.
        expect(of(word, from ?? 0)).toEqual({ from, to });
        expect(of(word, to)).toEqual({ from, to });
      }
      expect(of('tomorrow').from).toBe(of('today').to + 1);
      expect(of('last_week').to + 1).toBe(of('this_week').from);
      expect(of('last_month').to + 1).toBe(of('this_month').from);
      const { year, month, day } = dayAt(of('this_week').from ?? 0, timeZone);
      expect(new Date(Date.UTC(year, month - 1, day)).getUTCDay()).toBe(1);
    }),
    { numRuns: 300 },
  );
});

test('lists the choices of a date picker', () => {
  const all = specified.relativeTimes.filter((word) => word !== 'custom');
  const added = ['last_7_days', 'last_30_days', 'last_90_days', 'custom'];
  expect(listRelativeTimes({ dueBy: true })).toEqual([...all, ...added]);
  expect(listRelativeTimes()).toEqual([...all.filter((word) => word !== 'overdue'), ...added]);
  const rest = all.filter((word) => word !== 'overdue' && !word.endsWith('hours'));
  expect(listRelativeTimes({ module: 'purchase' })).toEqual([...rest, ...added]);
  expect(listRelativeTimes({ module: 'contract' })).toEqual([
    'this_week',
    'this_month',
    'last_week',
    'last_month',
    'custom',
  ]);
});

test('recognizes relative times', () => {
  expect(['today', 'last_30_days', 'last_3_hours'].every(isRelativeTime)).toBe(true);
  expect(['custom', 'last_0_days', 'last_30_weeks', 'yesterday', ''].some(isRelativeTime)).toBe(
    false,
  );
  expect(() => toInterval('today', { now: 0, timeZone: 'Mars/Olympus' })).toThrow(RangeError);
});
