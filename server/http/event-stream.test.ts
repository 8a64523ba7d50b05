import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventStream, eventText, type ServerEvent } from './event-stream.ts';

const times = { heartbeat: 20, holdsAsked: 60 };
const holds = () => Promise.resolve(true);

async function taken(text: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of text) pieces.push(piece);
  return pieces;
}

const forever = (onEnd: () => void = () => undefined) =>
  new EventStream(async function* (signal): AsyncGenerator<ServerEvent> {
    try {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      onEnd();
    }
  });

test('each event is a name and a line of JSON, whatever is in it', async () => {
  const stream = new EventStream(async function* () {
    yield { event: 'one', data: { words: 'two\nlines\r\n\n: and a colon' } };
    yield { event: 'two', data: [] };
  });
  expect(await taken(eventText(stream, { signal: new AbortController().signal, holds }))).toEqual([
    'event: one\ndata: {"words":"two\\nlines\\r\\n\\n: and a colon"}\n\n',
    'event: two\ndata: []\n\n',
  ]);
});

test('a comment tells that it lives while nothing happens, and the source ends when the caller leaves', async () => {
  const left = new AbortController();
  let ended = false;
  const text = eventText(
    forever(() => (ended = true)),
    { signal: left.signal, holds, times },
  );
  expect((await text.next()).value).toBe(': still here\n\n');
  expect((await text.next()).value).toBe(': still here\n\n');
  left.abort();
  expect((await text.next()).done).toBe(true);
  await expect.poll(() => ended).toBe(true);
});

test('it ends when the session does, also while events keep coming', async () => {
  let allowed = true;
  const ticking = new EventStream(async function* (signal) {
    for (let n = 0; !signal.aborted; n++) {
      await after(5);
      yield { event: 'tick', data: n };
    }
  });
  const text = eventText(ticking, { signal: new AbortController().signal, holds: () => Promise.resolve(allowed), times });
  expect((await text.next()).value).toContain('data: 0');
  allowed = false;
  const rest = await taken(text);
  expect(rest.length).toBeLessThan(60);
});

test('one who takes nothing makes nothing be kept', async () => {
  let made = 0;
  const eager = new EventStream(async function* (signal) {
    while (!signal.aborted) yield { event: 'tick', data: made++ };
  });
  const text = eventText(eager, { signal: new AbortController().signal, holds, times });
  await text.next();
  await after(50);
  expect(made).toBeLessThanOrEqual(2);
  await text.return(undefined);
});

test('an event that the contract does not know ends it with an error', async () => {
  const stream = new EventStream(async function* () {
    yield { event: 'unheard', data: 1 };
  });
  const check = () => {
    throw new Error('not in the contract');
  };
  await expect(taken(eventText(stream, { signal: new AbortController().signal, holds, check }))).rejects.toThrow('not in the contract');
});
