import { expect, test, vi } from 'vitest';
import { SearchLimit, type SearchLimits } from './search-limit.ts';

const neverAborted = new AbortController().signal;
const createCaller = (user: string, signal = neverAborted) => ({ user, signal });

/** Creates a limit. `endNext` ends the search that started first. */
function limited(limits: Partial<SearchLimits> = {}) {
  const limit = new SearchLimit({
    perUser: 2,
    allUsers: 3,
    maxWaiting: 4,
    waitTimeoutMs: 1_000,
    ...limits,
  });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (user: string, name: string, signal?: AbortSignal) =>
    limit.run(createCaller(user, signal), () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, begun, endNext };
}

test('runs two searches of a user at once, and searches of other users in addition', async () => {
  const { ask, begun, endNext } = limited();
  const results = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await endNext();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (let left = 3; left > 0; left -= 1) await endNext();
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('starts the first waiting search of a user who may run more', async () => {
  const { ask, begun, endNext } = limited({ allUsers: 2 });
  const results = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
  await endNext();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await endNext();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await endNext();
  await endNext();
  await Promise.all(results);
});

test('starts the search of another user when the first waiting one has reached its limit', async () => {
  const { ask, begun, endNext } = limited({ perUser: 1, allUsers: 2 });
  const results = [ask('b', 'b1'), ask('a', 'a1'), ask('a', 'a2'), ask('c', 'c1')];
  await endNext();
  expect(begun).toEqual(['b1', 'a1', 'c1']);
  for (let left = 3; left > 0; left -= 1) await endNext();
  await Promise.all(results);
});

test('starts the next search after a failed one', async () => {
  const limit = new SearchLimit({ perUser: 1, allUsers: 1, maxWaiting: 1, waitTimeoutMs: 1_000 });
  const failed = limit.run(createCaller('a'), () => Promise.reject(new Error('The search failed')));
  await expect(failed).rejects.toThrow('The search failed');
  expect(await limit.run(createCaller('b'), () => Promise.resolve('found'))).toBe('found');
});

test('removes a waiting search when its caller disconnects', async () => {
  const { ask, begun, endNext } = limited({ perUser: 1 });
  const leaving = new AbortController();
  const running = ask('a', 'a1');
  const waiting = ask('a', 'a2', leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'caller_left' });
  await endNext();
  await running;
  expect(begun).toEqual(['a1']);
});

test('refuses a search when too many are waiting or when it has waited too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask } = limited({ perUser: 1, maxWaiting: 1 });
  void ask('a', 'a1');
  const waiting = ask('a', 'a2');
  await expect(ask('a', 'a3')).rejects.toMatchObject({ code: 'too_many_searches' });
  vi.advanceTimersByTime(1_000);
  await expect(waiting).rejects.toMatchObject({ code: 'searches_busy', retryAfterSeconds: 5 });
  vi.useRealTimers();
});
