import { expect, test } from 'vitest';
import { findScreens } from './jump-commands.ts';

test.each([
  ['June 2026', '/patch-repository/month/2026-06'],
  ['dec 2025', '/patch-repository/month/2025-12'],
  ['2024-02', '/patch-repository/month/2024-02'],
])('finds the month %s first', (typed, path) => {
  expect(findScreens(typed)[0]?.path).toBe(path);
});

test.each(['2024-13', 'June', 'foo 2026'])('finds no month in %s', (typed) => {
  expect(findScreens(typed).filter(({ path }) => /month\/\d/.test(path))).toEqual([]);
});
