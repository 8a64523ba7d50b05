import { expect, test, vi } from 'vitest';
import { SearchLimit, type SearchLimits } from './search-limit.ts';

const staying = new AbortController().signal;
const callerOf = (user: string, signal = staying) => ({ user, signal });

/** A limit whose searches run until they are ended by hand, in the order in which they began. */
function limited(limits: Partial<SearchLimits> = {}) {
  const limit = new SearchLimit({
    perUser: 2,
    inAll: 3,
    maxWaiting: 4,
    patience: 1_000,
    ...limits,
  });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (user: string, name: string, signal?: AbortSignal) =>
    limit.run(callerOf(user, signal), () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, begun, endNext };
}

test('runs two searches of one user at once, and those of others beside them', async () => {
  const { ask, begun, endNext } = limited();
  const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await endNext();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (let left = 3; left > 0; left -= 1) await endNext();
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('gives a free turn to the one that came first of those whose users may run more', async () => {
  const { ask, begun, endNext } = limited({ inAll: 2 });
  const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')];
  await endNext();
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await endNext();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await endNext();
  await endNext();
  await Promise.all(asked);
});

test('frees the turn of a search that fails', async () => {
  const limit = new SearchLimit({ perUser: 1, inAll: 1, maxWaiting: 1, patience: 1_000 });
  const failed = limit.run(callerOf('a'), () => Promise.reject(new Error('The search failed')));
  await expect(failed).rejects.toThrow('The search failed');
  expect(await limit.run(callerOf('b'), () => Promise.resolve('found'))).toBe('found');
});

test('drops a search that waits when its caller leaves', async () => {
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

test('refuses one search more than may wait, and one that has waited too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask } = limited({ perUser: 1, maxWaiting: 1 });
  void ask('a', 'a1');
  const waiting = ask('a', 'a2');
  await expect(ask('a', 'a3')).rejects.toMatchObject({ code: 'too_many_searches' });
  vi.advanceTimersByTime(1_000);
  await expect(waiting).rejects.toMatchObject({ code: 'searches_busy', retryAfterSeconds: 5 });
  vi.useRealTimers();
});
