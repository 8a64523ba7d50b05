import { expect, test } from 'vitest';
import { getPageAfter } from './use-list-model.ts';

test('getPageAfter returns the next and previous page within the list', () => {
  expect(getPageAfter({ page: 1, size: 25 }, 51, 1)).toBe(2);
  expect(getPageAfter({ page: 3, size: 25 }, 51, -1)).toBe(2);
  expect(getPageAfter({ page: 3, size: 25 }, 51, 1)).toBeUndefined();
  expect(getPageAfter({ page: 1, size: 25 }, 51, -1)).toBeUndefined();
});

test('getPageAfter returns undefined while the total is unknown', () => {
  expect(getPageAfter({ page: 1, size: 25 }, undefined, 1)).toBeUndefined();
});
