import { weekdays } from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import { expect, test } from 'vitest';
import { dateOf, findLastMoment, findNextMoment, type Schedule } from './rule-moments.ts';

const quarterMs = 15 * 60_000;
const from = Date.UTC(2026, 0, 1);
const until = Date.UTC(2028, 0, 1);

interface Clock {
  readonly instant: number;
  readonly weekday: string;
  /** 2026-12-08 */
  readonly date: string;
  readonly hour: number;
}

/** Reads what the clock of the zone shows at each quarter of an hour of two years. */
function readClock(timeZone: string): readonly Clock[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const clock: Clock[] = [];
  for (let instant = from; instant < until; instant += quarterMs) {
    const [date = '', time = ''] = format.format(instant).split(' ');
    const weekday = weekdays[(new Date(date).getUTCDay() + 6) % 7] ?? '';
    clock.push({ instant, weekday, date, hour: Number(time.slice(0, 2)) });
  }
  return clock;
}

/** Returns the first quarter of each matching day whose clock shows the hour, or a later one where clocks skip it. */
function expectMoments(clock: readonly Clock[], { week, weekday, hour }: Schedule) {
  const first = new Map<string, number>();
  for (const shown of clock) {
    const isWeek = week === null || Math.ceil(Number(shown.date.slice(8)) / 7) === week;
    if (shown.weekday === weekday && isWeek && shown.hour >= hour && !first.has(shown.date))
      first.set(shown.date, shown.instant);
  }
  return [...first];
}

const zones = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Asia/Kathmandu': [],
} as const;

test.each(Object.entries(zones))(
  'follow the clock of %s through two years, also where it changes',
  (timeZone, changes) => {
    const clock = readClock(timeZone);
    const schedules = [null, 1, 2, 3, 4].flatMap((week) =>
      (['Sunday', 'Tuesday'] as const).flatMap((weekday) =>
        [0, 1, 2, 3, 18, 23].map((hour) => ({ week, weekday, hour, timeZone })),
      ),
    );
    for (const schedule of schedules) {
      const expected = expectMoments(clock, schedule);
      const found: [string, number][] = [];
      for (let now = from - 1; ; ) {
        now = findNextMoment(schedule, now);
        if (now >= until) break;
        found.push([dateOf(schedule, now), now]);
      }
      expect(found).toEqual(expected);
      const moments = expected.map(([, moment]) => moment);
      expect(moments.map((moment) => findLastMoment(schedule, moment))).toEqual(moments);
      const later = moments.slice(1);
      expect(later.map((moment) => findLastMoment(schedule, moment - 1))).toEqual(
        moments.slice(0, -1),
      );
    }
    const dates = expectMoments(clock, { week: null, weekday: 'Sunday', hour: 2, timeZone });
    expect(dates.map(([date]) => date)).toEqual(expect.arrayContaining([...changes]));
  },
);

test('are the second Tuesday of each month', () => {
  const schedule = { week: 2, weekday: 'Tuesday', hour: 18, timeZone: 'Europe/Istanbul' } as const;
  const dates: string[] = [];
  for (let now = Date.UTC(2026, 8, 1), count = 0; count < 5; count += 1) {
    now = findNextMoment(schedule, now);
    dates.push(new Date(now).toISOString());
  }
  expect(dates).toEqual([
    '2026-09-08T15:00:00.000Z',
    '2026-10-13T15:00:00.000Z',
    '2026-11-10T15:00:00.000Z',
    '2026-12-08T15:00:00.000Z',
    '2027-01-12T15:00:00.000Z',
  ]);
});
