import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cleaningIntervalMs, cleanPeriodically } from './clean-periodically.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs every removal after each interval, even when one fails, until the app closes', async () => {
  const app = fastify();
  const warn = vi.fn();
  const remove = vi.fn(async () => undefined);
  const away = new Error('The database is away');
  cleanPeriodically(app, { warn }, [() => Promise.reject(away), remove]);
  expect(remove).not.toHaveBeenCalled();

  await vi.advanceTimersByTimeAsync(2 * cleaningIntervalMs);
  expect(remove).toHaveBeenCalledTimes(2);
  expect(warn.mock.calls).toEqual([
    [{ err: away }, 'expired rows could not be removed'],
    [{ err: away }, 'expired rows could not be removed'],
  ]);

  vi.useRealTimers();
  await app.close();
  vi.useFakeTimers();
  await vi.advanceTimersByTimeAsync(2 * cleaningIntervalMs);
  expect(remove).toHaveBeenCalledTimes(2);
});
