import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

test('runs up to the limit at once, queues others in order and refuses when the queue is full', async () => {
  const limit = createConcurrencyLimiter({
    maxRunning: 2,
    maxWaiting: 3,
    busy: 'Too many at once.',
  });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (n: number) =>
    limit(
      () =>
        new Promise<number>((resolve) => {
          begun.push(n);
          ends.push(() => resolve(n));
        }),
    );
  const works = [0, 1, 2, 3, 4].map(work);
  expect(begun).toEqual([0, 1]);
  await expect(work(5)).rejects.toMatchObject({
    code: 'busy',
    message: 'Too many at once. Try again in a moment.',
  });
  ends[1]?.();
  await works[1];
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (let n = 0; n < 5; n++) {
    await expect.poll(() => ends[n]).toBeDefined();
    ends[n]?.();
  }
  expect(await Promise.all(works)).toEqual([0, 1, 2, 3, 4]);
});

test('starts the next task after a failure', async () => {
  const limit = createConcurrencyLimiter({
    maxRunning: 1,
    maxWaiting: 1,
    busy: 'Too many at once.',
  });
  const failing = limit(() => Promise.reject(new Error('broken')));
  const next = limit(() => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
