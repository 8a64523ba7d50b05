import { expect, test } from 'vitest';
import { findUnreadableDate, remarkOnDates } from './vendor-dates.ts';

test.each([
  ['tomorrow', 'tomorrow'],
  [' 30 \n Feb ', '30 Feb'],
  ['x'.repeat(99), 'x'.repeat(80)],
  ['12', '12'],
  [12, '12'],
  [true, 'true'],
  [{ day: 3 }, '{"day":3}'],
  [['2026-02-03'], '["2026-02-03"]'],
  ['2026-02-03', null],
  ['', null],
  [' ', null],
  [null, null],
  [undefined, null],
])('finds in the date %j the unreadable %j', (written, unreadable) => {
  expect(findUnreadableDate(written)).toBe(unreadable);
});

test('adds a remark on each unreadable date, and none on a missing one', () => {
  const dates = { issued: 'soon', updated: '2026-02-03', withdrawn: null };
  expect([...remarkOnDates('A-1', dates)]).toEqual([
    { kind: 'remark', remark: 'A-1: issued "soon" is not a date that can be read' },
  ]);
});
