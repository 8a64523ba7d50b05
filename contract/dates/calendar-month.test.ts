import { expect, test } from 'vitest';
import { monthKeyOf, toCalendarMonth } from './calendar-month.ts';

test.each([
  ['2026-06', 'June 2026', '2026-06-09', '2026-05', '2026-07'],
  ['2026-12', 'December 2026', '2026-12-08', '2026-11', '2027-01'],
  // The first is a Tuesday, or the day after one.
  ['2025-07', 'July 2025', '2025-07-08', '2025-06', '2025-08'],
  ['2025-01', 'January 2025', '2025-01-14', '2024-12', '2025-02'],
])('knows the second Tuesday and the neighbours of %s', (key, label, tuesday, previous, next) => {
  const month = toCalendarMonth(key);
  expect([month.label, month.previous, month.next]).toEqual([label, previous, next]);
  expect(new Date(month.tuesday).toISOString().slice(0, 10)).toBe(tuesday);
  expect([monthKeyOf(month.from), monthKeyOf(month.to - 1), monthKeyOf(month.to)]).toEqual([
    key,
    key,
    next,
  ]);
});

test.each(['2026-13', '2026-6', '1969-12', '2026-06-01', ''])('refuses %j', (key) => {
  expect(() => toCalendarMonth(key)).toThrow(RangeError);
});
