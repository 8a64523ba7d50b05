import { afterEach, expect, test } from 'vitest';
import { OnDemandThread } from './on-demand-thread.ts';
import type { ObedientCommand, ObedientEvent } from './testing/obedient-thread.ts';

let thread: OnDemandThread<ObedientCommand, ObedientEvent>;
let said: ObedientEvent[];
let deaths: { readonly message: string; readonly cause: unknown; readonly restMs: number }[];
let rested: number;

/** A busy machine takes seconds to start a thread. */
const soon = { timeout: 20_000 };

afterEach(() => thread.stop());

function create({ idleMs = 60_000, dies = false, rests = false } = {}): void {
  said = [];
  deaths = [];
  rested = 0;
  thread = new OnDemandThread({
    name: 'obedient',
    module: new URL('./testing/obedient-thread.ts', import.meta.url),
    workerData: { dies },
    heapMb: 64,
    idleMs,
    onEvent: (event) => said.push(event),
    onDeath: ({ message, cause }, restMs) => deaths.push({ message, cause, restMs }),
    ...(rests && { onRested: () => void (rested += 1) }),
  });
}

const threadIds = () => said.map(({ threadId }) => threadId);

test('starts with the first command and handles all commands in one thread', async () => {
  create();
  expect(thread.isRunning).toBe(false);
  for (let n = 0; n < 3; n += 1) thread.send('say');
  expect(thread.isRunning).toBe(true);
  await expect.poll(() => said, soon).toHaveLength(3);
  expect(new Set(threadIds()).size).toBe(1);
});

test('ends when idle, and starts another thread for the next command', async () => {
  create({ idleMs: 20 });
  thread.send('say');
  await expect.poll(() => thread.isRunning, soon).toBe(false);
  thread.send('say');
  await expect.poll(() => said, soon).toHaveLength(2);
  expect(new Set(threadIds()).size).toBe(2);
  expect(deaths).toEqual([]);
});

test('does not end during a command that takes longer than the idle time', async () => {
  create({ idleMs: 20 });
  thread.send('say late');
  thread.send('say');
  await expect.poll(() => said.map((event) => event.said), soon).toEqual(['say', 'say late']);
  expect(new Set(threadIds()).size).toBe(1);
  await expect.poll(() => thread.isRunning, soon).toBe(false);
});

test('reports a death, and starts another thread for the next command', async () => {
  create();
  thread.send('die');
  await expect.poll(() => deaths, soon).toHaveLength(1);
  expect(deaths[0]).toMatchObject({ message: 'The obedient thread ended (7)', restMs: 0 });
  thread.send('say');
  await expect.poll(() => said, soon).toHaveLength(1);
});

test('reports why a thread died at its start, drops commands during the rest, and doubles the rest each time', async () => {
  create({ dies: true, rests: true });
  thread.send('say');
  await expect.poll(() => deaths, soon).toHaveLength(1);
  expect(deaths[0]).toMatchObject({
    cause: expect.objectContaining({ message: 'broken at its start' }),
    restMs: 1000,
  });
  thread.send('say');
  expect(thread.isRunning).toBe(false);
  await expect.poll(() => rested, soon).toBe(1);
  thread.send('say');
  await expect.poll(() => deaths, soon).toHaveLength(2);
  expect(deaths[1]).toMatchObject({ restMs: 2000 });
});

test('reports the death of a hanging thread that was terminated', async () => {
  create();
  thread.send('hang');
  await expect.poll(() => thread.isRunning, soon).toBe(true);
  thread.terminate();
  await expect.poll(() => deaths, soon).toHaveLength(1);
});

test('starts no thread after it was stopped', async () => {
  create();
  await thread.stop();
  thread.send('say');
  expect(thread.isRunning).toBe(false);
});
