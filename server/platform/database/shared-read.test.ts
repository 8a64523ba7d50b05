import { expect, test } from 'vitest';
import { SharedRead } from './shared-read.ts';

/** Readings that end when the test says so, numbered from 1. */
function readings() {
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

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('answers all who ask before a reading begins with that one', async () => {
  const { begun, shared } = readings();
  const asked = [shared.now(), shared.now(), shared.now()];
  await settled();
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  expect(await Promise.all(asked)).toEqual([1, 1, 1]);
});

test('gives nobody a reading that began before they asked', async () => {
  const { begun, shared } = readings();
  const first = shared.now();
  await settled();
  const later = [shared.now(), shared.now()];
  await settled();
  expect(begun).toHaveLength(1);
  begun[0]?.end();
  expect(await first).toBe(1);
  await settled();
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('tells a failure only to those who waited for that reading', async () => {
  const { begun, shared } = readings();
  const first = shared.now();
  await settled();
  const second = shared.now();
  begun[0]?.fail();
  await expect(first).rejects.toThrow('gone');
  await settled();
  begun[1]?.end();
  expect(await second).toBe(2);
});
