import { specified } from '@patch/catalogue/testing/specified.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkLoadError, isChunkFailure, limitChunkLoading } from './chunk-in-time.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('rejects after 120 seconds when a chunk does not arrive', async () => {
  let outcome: unknown = 'waiting';
  limitChunkLoading(new Promise(() => {})).catch((failure: unknown) => (outcome = failure));
  await vi.advanceTimersByTimeAsync(specified.times.chunkTimeout - 1);
  expect(outcome).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toBeInstanceOf(ChunkLoadError);
  expect(isChunkFailure(outcome)).toBe(true);
});

test('passes on the result of a chunk that arrives or fails in time', async () => {
  expect(await limitChunkLoading(Promise.resolve('a drawer'))).toBe('a drawer');
  await expect(limitChunkLoading(Promise.reject(new Error('a is undefined')))).rejects.toThrow(
    'a is undefined',
  );
  expect(vi.getTimerCount()).toBe(0);
});
