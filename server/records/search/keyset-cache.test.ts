import { expect, test } from 'vitest';
import { KeysetCache } from './keyset-cache.ts';

const mark = (place: number) => ({ place, value: `row ${place}`, id: place });

test('finds the nearest mark that is not behind a place, at the same revision', () => {
  const cache = new KeysetCache();
  for (const place of [500, 100, 900]) cache.keep('by date', 7, mark(place));
  expect(cache.before('by date', 7, 899)).toEqual(mark(500));
  expect(cache.before('by date', 7, 99)).toBeNull();
  expect(cache.before('by date', 8, 899)).toBeNull();
  expect(cache.before('by name', 7, 899)).toBeNull();
});

test('keeps a hundred orders, those that were used last', () => {
  const cache = new KeysetCache();
  for (let order = 0; order < 100; order++) cache.keep(`order ${order}`, 1, mark(1));
  expect(cache.before('order 0', 1, 1)).toEqual(mark(1));
  cache.keep('order 100', 1, mark(1));
  expect(cache.before('order 0', 1, 1)).toEqual(mark(1));
  expect(cache.before('order 1', 1, 1)).toBeNull();
});
