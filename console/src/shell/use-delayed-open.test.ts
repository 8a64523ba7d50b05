import { specified } from '@patch/catalogue/testing/specified.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDelayedOpen } from './use-delayed-open.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('opens after its delay, and not before', async () => {
  const { result } = renderHook(() => useDelayedOpen());
  act(() => result.current.openSoon());
  await wait(specified.times.changePasswordOpens - 1);
  expect(result.current.open).toBe(false);
  await wait(1);
  expect(result.current.open).toBe(true);
  act(() => result.current.close());
  expect(result.current.open).toBe(false);
});

test('stays closed when it is closed during the delay', async () => {
  const { result } = renderHook(() => useDelayedOpen());
  act(() => result.current.openSoon());
  act(() => result.current.close());
  await wait(2 * specified.times.changePasswordOpens);
  expect(result.current.open).toBe(false);
});
