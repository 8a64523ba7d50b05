import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useHiddenLater } from './use-hidden-later.ts';

const hidden = vi.fn<() => void>();
beforeEach(() => {
  vi.useFakeTimers();
  hidden.mockReset();
});
afterEach(() => vi.useRealTimers());

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('that a drawer is hidden is told 500 ms after it was closed', async () => {
  const { rerender } = renderHook(({ open }) => useHiddenLater(open, hidden), {
    initialProps: { open: true },
  });
  await wait(2000);
  rerender({ open: false });
  await wait(specified.times.drawerHides - 1);
  expect(hidden).not.toHaveBeenCalled();
  await wait(1);
  expect(hidden).toHaveBeenCalledOnce();
});

test('not when it is opened again before, or gone', async () => {
  const { rerender, unmount } = renderHook(({ open }) => useHiddenLater(open, hidden), {
    initialProps: { open: true },
  });
  rerender({ open: false });
  await wait(400);
  rerender({ open: true });
  await wait(1000);
  rerender({ open: false });
  unmount();
  await wait(1000);
  expect(hidden).not.toHaveBeenCalled();
});
