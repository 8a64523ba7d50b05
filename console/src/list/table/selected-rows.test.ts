import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addMarks, useSelectedRows } from './row-selection.tsx';

const ids = (set: ReadonlySet<number>) => [...set];

test('addMarks drops the oldest marks beyond the limit', () => {
  expect(ids(addMarks(new Set([1, 2]), [3], 2))).toEqual([2, 3]);
  expect(ids(addMarks(new Set([1, 2]), [1], 2))).toEqual([1, 2]);
  expect(ids(addMarks(new Set(), [1, 2, 3, 4], 3))).toEqual([2, 3, 4]);
  expect(ids(addMarks(new Set([1, 2]), [3, 4], 0))).toEqual([1, 2, 3, 4]);
});

test('useSelectedRows keeps marks over pages and clears them with a new search', () => {
  const { result, rerender } = renderHook(({ search }) => useSelectedRows(search), {
    initialProps: { search: 'a' },
  });
  act(() => result.current.togglePage([1, 2, 3]));
  act(() => result.current.toggle(2));
  act(() => result.current.togglePage([4, 5]));
  expect(ids(result.current.ids)).toEqual([1, 3, 4, 5]);
  act(() => result.current.togglePage([4, 5]));
  expect(ids(result.current.ids)).toEqual([1, 3]);
  act(() => result.current.markAllMatching());
  expect(result.current.allMatching).toBe(true);
  act(() => result.current.toggle(1));
  expect(result.current.allMatching).toBe(false);
  rerender({ search: 'b' });
  expect(ids(result.current.ids)).toEqual([]);
  act(() => result.current.toggle(9));
  act(() => result.current.clear());
  expect(ids(result.current.ids)).toEqual([]);
});
