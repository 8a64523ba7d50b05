import { expect, test } from 'vitest';
import { CountCache } from './count-cache.ts';

const counted = (total: number) => ({ revision: 1, total, listed: 9, fewCandidates: false });

test('drops the count that was not used for the longest time', () => {
  const cache = new CountCache(2);
  cache.keep('a', counted(1));
  cache.keep('b', counted(2));
  expect(cache.get('a')).toEqual(counted(1));
  cache.keep('c', counted(3));
  expect(['a', 'b', 'c'].map((key) => cache.get(key)?.total)).toEqual([1, undefined, 3]);
});

test('counts once for all who ask at the same time, and keeps no count that failed', async () => {
  const cache = new CountCache();
  let asked = 0;
  const count = async () => counted(++asked);
  expect(await Promise.all([cache.count('a', count), cache.count('a', count)])).toEqual([
    counted(1),
    counted(1),
  ]);
  const failure = new Error('The database is away');
  await expect(cache.count('b', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(cache.get('b')).toBeUndefined();
  expect(await cache.count('b', count)).toEqual(counted(2));
});
