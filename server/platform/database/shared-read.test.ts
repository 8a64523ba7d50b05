import { expect, test } from 'vitest';
import { SharedRead } from './shared-read.ts';

/** Creates reads that the test ends, numbered from 1. */
function createReads() {
  const begun: { readonly end: () => void; readonly fail: () => void }[] = [];
  const shared = new SharedRead(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = begun.length + 1;
        begun.push({ end: () => resolve(number), fail: () => reject(new Error('gone')) });
      }),
  );
  return { begun, shared };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('shares one read among all callers before its begin', async () => {
  const { begun, shared } = createReads();
  const results = [shared.now(), shared.now(), shared.now()];
  await settle();
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  expect(await Promise.all(results)).toEqual([1, 1, 1]);
});

test('never returns a read that began before the call', async () => {
  const { begun, shared } = createReads();
  const first = shared.now();
  await settle();
  const later = [shared.now(), shared.now()];
  await settle();
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  expect(await first).toBe(1);
  await settle();
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('rejects only for callers of the failed read', async () => {
  const { begun, shared } = createReads();
  const first = shared.now();
  await settle();
  const second = shared.now();
  begun[0]?.fail();
  await expect(first).rejects.toThrow('gone');
  await settle();
  begun[1]?.end();
  expect(await second).toBe(2);
});
