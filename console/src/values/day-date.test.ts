import { expect, test } from 'vitest';
import { dayDate, exactDate } from './day-date.ts';

const patchTuesday = Date.UTC(2024, 2, 12, 17, 0);

test('writes a date in the reader’s time zone', () => {
  expect(dayDate(patchTuesday, 'UTC')).toBe('Mar 12, 2024');
  expect(dayDate(patchTuesday, 'Asia/Tokyo')).toBe('Mar 13, 2024');
  expect(exactDate(patchTuesday, 'Asia/Tokyo')).toBe('Wed, Mar 13, 2024 02:00 AM');
});

test('returns a number outside the range of Date as a number', () => {
  expect(dayDate(9e15, 'UTC')).toBe('9000000000000000');
  expect(exactDate(-9e15, 'UTC')).toBe('-9000000000000000');
});
