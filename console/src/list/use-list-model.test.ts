import { expect, test } from 'vitest';
import { pageAfter } from './use-list-model.ts';

test('turns to the next and the previous page, within the pages that the list has', () => {
  expect(pageAfter({ page: 1, size: 25 }, 51, 1)).toBe(2);
  expect(pageAfter({ page: 3, size: 25 }, 51, -1)).toBe(2);
  expect(pageAfter({ page: 3, size: 25 }, 51, 1)).toBeUndefined();
  expect(pageAfter({ page: 1, size: 25 }, 51, -1)).toBeUndefined();
});

test('turns no page while the number of records is unknown', () => {
  expect(pageAfter({ page: 1, size: 25 }, undefined, 1)).toBeUndefined();
});
