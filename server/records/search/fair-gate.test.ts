import { expect, test } from 'vitest';
import { FairGate, type GateLimits } from './fair-gate.ts';

const staying = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function setUp(limits: Partial<GateLimits> = {}) {
  const gate = new FairGate({ perUser: 2, inAll: 3, maxWaiting: 4, patience: 60_000, ...limits });
  const running: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, () => void>();
  /** `a1` is user a's search 1; `a1'` another call about the same search. */
  const ask = (name: string, signal = staying) => {
    const call = gate.run({ user: name[0] ?? '', screen: name.slice(0, 2), signal }, async () => {
      running.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      running.splice(running.indexOf(name), 1);
      ended.push(name);
      return name;
    });
    call.catch(() => undefined);
    return call;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { ask, end, running, ended };
}

test('runs two searches of a user at most, the others in their order', async () => {
  const { ask, end, running } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
  await settled();
  expect(running).toEqual(['a1', 'a2']);
  await end('a2');
  expect(running).toEqual(['a1', 'a3']);
  await end('a1');
  expect(running).toEqual(['a3', 'a4']);
});

test('gives slots to users in turn, however many searches one of them sent first', async () => {
  const { ask, end, running } = setUp({ inAll: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void ask(name);
  await settled();
  expect(running).toEqual(['a1', 'a2']);
  await end('a1');
  expect(running).toEqual(['a2', 'b1']);
  await end('a2');
  expect(running).toEqual(['b1', 'a3']);
  await end('b1');
  expect(running).toEqual(['a3', 'b2']);
});

test('a user waits for no slot that another user does not hold', async () => {
  const { ask, running } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name);
  await settled();
  expect(running).toEqual(['a1', 'a2', 'b1']);
});

test('calls of one screen share a slot, one after another', async () => {
  const { ask, end, running } = setUp();
  for (const name of ['a1', "a1'", 'a2', "a1''"]) void ask(name);
  await settled();
  expect(running).toEqual(['a1', 'a2']);
  await end('a1');
  expect(running).toEqual(['a2', "a1'"]);
  await end("a1'");
  expect(running).toEqual(['a2', "a1''"]);
});

test('a screen that asks without end gives its slot to others', async () => {
  const { ask, end, ended, running } = setUp({ perUser: 1, inAll: 1, maxWaiting: 100 });
  for (let n = 0; n < 10; n += 1) void ask(`a1${n}`);
  void ask('b1');
  await settled();
  while (running.length > 0) await end(running[0] ?? '');
  expect(ended).toHaveLength(11);
  expect(ended.indexOf('b1')).toBe(6);
});

test('refuses with 429 and Retry-After when too many of a user wait, and of no other user', async () => {
  const { ask, running } = setUp();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', "a1'"]) void ask(name);
  await expect(ask('a7')).rejects.toMatchObject({
    code: 'too_many_searches',
    retryAfterSeconds: 5,
  });
  void ask('b1');
  await settled();
  expect(running).toEqual(['a1', 'a2', 'b1']);
});

test('drops what waits when its caller leaves, and lets the next one in', async () => {
  const { ask, end, running, ended } = setUp();
  const leaving = new AbortController();
  void ask('a1');
  void ask('a2');
  const dropped = ask('a3', leaving.signal);
  const sharing = ask("a1'", leaving.signal);
  void ask('a4');
  leaving.abort();
  await expect(dropped).rejects.toMatchObject({ code: 'caller_left' });
  await expect(sharing).rejects.toMatchObject({ code: 'caller_left' });
  await end('a1');
  expect(running).toEqual(['a2', 'a4']);
  expect(ended).toEqual(['a1']);
  await expect(ask('a5', leaving.signal)).rejects.toMatchObject({ code: 'caller_left' });
});

test('refuses with 503 what has waited too long', async () => {
  const { ask } = setUp({ patience: 1 });
  void ask('a1');
  void ask('a2');
  await expect(ask('a3')).rejects.toMatchObject({
    code: 'searches_busy',
    retryAfterSeconds: 5,
  });
});

test('frees the slot of work that fails', async () => {
  const gate = new FairGate({ perUser: 1, inAll: 1, maxWaiting: 1, patience: 60_000 });
  const of = { user: 'a', screen: '1', signal: staying };
  await expect(gate.run(of, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(of, () => Promise.resolve('yes'))).toBe('yes');
});
