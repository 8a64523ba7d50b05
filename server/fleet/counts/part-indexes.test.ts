import { expect, test } from 'vitest';
import { PartIndexes, withRoom } from './counted-parts.ts';

test('assigns indexes in order for any ids, and keeps them', () => {
  const places = new PartIndexes();
  const parts = [7, 4096, 1, 2 ** 31 - 1, 4095];
  expect(parts.map((part) => places.add(part))).toEqual([1, 2, 3, 4, 5]);
  expect(parts.map((part) => places.add(part))).toEqual([1, 2, 3, 4, 5]);
  expect(parts.map((part) => places.find(part))).toEqual([1, 2, 3, 4, 5]);
  expect([0, 8, 4097, 2 ** 31 - 2].map((part) => places.find(part))).toEqual([0, 0, 0, 0]);
});

test('grows arrays and keeps their content', () => {
  const numbers = Uint32Array.of(3, 1, 4);
  expect(withRoom(numbers, 2)).toBe(numbers);
  const larger = withRoom(numbers, 3);
  expect([...larger.subarray(0, 4)]).toEqual([3, 1, 4, 0]);
  expect(larger.length).toBeGreaterThan(3);
});
