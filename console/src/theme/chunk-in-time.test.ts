import { specified } from '@patch/catalogue/testing/specified.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkLoadError, importChunk, isChunkFailure, limitChunkLoading } from './chunk-in-time.ts';

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

test('imports a chunk under another address once it has failed', async () => {
  const address = 'https://patch.example/assets/dialog-a1.js';
  const lost = new TypeError(`Failed to fetch dynamically imported module: ${address}`);
  const asked: string[] = [];
  const call = (failure: Error | null) =>
    importChunk(
      () => (failure === null ? Promise.resolve('loaded') : Promise.reject(failure)),
      (again) => {
        asked.push(again);
        return Promise.resolve('again');
      },
    );
  await expect(call(lost)).rejects.toBe(lost);
  expect(asked).toEqual([]);
  expect([await call(lost), await call(lost), await call(null)]).toEqual([
    'again',
    'again',
    'loaded',
  ]);
  expect(asked).toEqual([`${address}?again=1`, `${address}?again=2`]);
  // Neither another error nor one that names no address is tried elsewhere.
  const others = [new Error(`x at ${address}`), new TypeError('Importing a module script failed.')];
  for (const other of others) await expect(call(other)).rejects.toBe(other);
  expect(asked).toHaveLength(2);
});
