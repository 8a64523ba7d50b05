/** Places of parts. */
import { expect, test } from 'vitest';
import { PartPlaces, withRoom } from './part-places.ts';

test('gives places in turn, whatever the numbers, and keeps them', () => {
  const places = new PartPlaces();
  const parts = [7, 4096, 1, 2 ** 31 - 1, 4095];
  expect(parts.map((part) => places.of(part))).toEqual([1, 2, 3, 4, 5]);
  expect(parts.map((part) => places.of(part))).toEqual([1, 2, 3, 4, 5]);
  expect(parts.map((part) => places.find(part))).toEqual([1, 2, 3, 4, 5]);
  expect([0, 8, 4097, 2 ** 31 - 2].map((part) => places.find(part))).toEqual([0, 0, 0, 0]);
});

test('makes room and keeps what is there', () => {
  const numbers = Uint32Array.of(3, 1, 4);
  expect(withRoom(numbers, 2)).toBe(numbers);
  const larger = withRoom(numbers, 3);
  expect([...larger.subarray(0, 4)]).toEqual([3, 1, 4, 0]);
  expect(larger.length).toBeGreaterThan(3);
});
