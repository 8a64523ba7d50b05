import { expect, test } from 'vitest';
import { type Box, findFreeTop } from './toast-host.tsx';

const box = (left: number, top: number, right: number, bottom: number): Box => ({
  left,
  top,
  right,
  bottom,
});
const toast = box(600, 0, 840, 40);
const window = { from: 10, to: 900 };

test('returns the top when the column is free', () => {
  expect(findFreeTop(toast, [], window)).toBe(10);
  expect(findFreeTop(toast, [box(0, 0, 590, 100), box(850, 0, 900, 100)], window)).toBe(10);
});

test('returns the first gap between the actions of its column', () => {
  const header = box(500, 8, 900, 40);
  const search = box(200, 80, 1400, 110);
  expect(findFreeTop(toast, [search, header], window)).toBe(114);
  expect(findFreeTop(toast, [box(200, 100, 1400, 130), header], window)).toBe(44);
});

test('returns the top when the column is full', () => {
  expect(findFreeTop(toast, [box(0, 0, 1440, 890)], window)).toBe(10);
});
