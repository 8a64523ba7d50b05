import { expect, test } from 'vitest';
import { usualGapDays } from './release-rhythm.ts';

/** Returns days, newest first, with the given gaps between them. */
const daysApart = (gaps: readonly number[]) =>
  gaps.reduce<number[]>((days, gap) => [...days, (days.at(-1) ?? 0) - gap], [20_000]);

test.each([
  ['the middle one of an odd number of gaps', [9, 1, 2], 2],
  ['the mean of the middle two of an even number', [1, 2, 3, 30], 2.5],
  ['a day, when records come daily', [1, 1, 1], 1],
  ['the gap of three days that are far apart', [400, 400], 400],
])('is %s', (_, gaps, usual) => {
  expect(usualGapDays(daysApart(gaps))).toBe(usual);
  expect(usualGapDays(daysApart(gaps).toReversed())).toBe(usual);
});

test('is null for fewer than three days', () => {
  expect([[], [20_000], [20_000, 19_000]].map(usualGapDays)).toEqual([null, null, null]);
});

test('counts only the newest 50 days', () => {
  const newest = daysApart(Array.from({ length: 49 }, () => 2));
  const older = Array.from({ length: 60 }, (_, n) => (newest.at(-1) ?? 0) - 100 * (n + 1));
  expect(usualGapDays([...older, ...newest])).toBe(2);
});
