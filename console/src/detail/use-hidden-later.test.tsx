import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useHiddenLater } from './record-drawer.tsx';

const hidden = vi.fn<() => void>();
beforeEach(() => {
  vi.useFakeTimers();
  hidden.mockReset();
});
afterEach(() => vi.useRealTimers());

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('calls back 500 ms after the drawer is closed', async () => {
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

test('does not call back when the drawer is reopened or unmounted before', async () => {
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
