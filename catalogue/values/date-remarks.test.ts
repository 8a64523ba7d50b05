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

test('adds a remark on a date more than a day ahead, until it is near', () => {
  const day = 86_400_000;
  const [near, far] = [Date.now() + day / 2, Date.now() + 2 * day];
  expect([...remarkOnDates('A-1', { issued: near, updated: far })]).toEqual([
    { kind: 'remark', remark: `A-1: updated "${far}" lies in the future`, until: far - day },
  ]);
  const parse = () => Date.UTC(2199, 0, 1);
  expect([...remarkOnDates('A-1', { date: '01 Jan 2199' }, parse)]).toMatchObject([
    { remark: 'A-1: date "01 Jan 2199" lies in the future' },
  ]);
});

test('adds a remark on each unreadable date, and none on a missing one', () => {
  const dates = { issued: 'soon', updated: '2026-02-03', withdrawn: null };
  expect([...remarkOnDates('A-1', dates)]).toEqual([
    { kind: 'remark', remark: 'A-1: issued "soon" is not a date that can be read' },
  ]);
});
