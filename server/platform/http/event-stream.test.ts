import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EventStream, eventText, type ServerEvent } from './event-stream.ts';

const heartbeat = 20;

async function collect(text: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of text) pieces.push(piece);
  return pieces;
}

const forever = (onEnd: () => void) =>
  new EventStream(async function* (signal): AsyncGenerator<ServerEvent> {
    try {
      yield* [];
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      );
    } finally {
      onEnd();
    }
  });

test('writes each event as a name and one line of JSON', async () => {
  const stream = new EventStream(async function* () {
    yield { event: 'one', data: { words: 'two\nlines\r\n\n: and a colon' } };
    yield { event: 'two', data: [] };
  });
  expect(
    await collect(eventText(stream, { signal: new AbortController().signal, heartbeat })),
  ).toEqual([
    'id: 1\nevent: one\ndata: {"words":"two\\nlines\\r\\n\\n: and a colon"}\n\n',
    'id: 2\nevent: two\ndata: []\n\n',
  ]);
});

test('sends comments while idle, and ends the source when the caller disconnects', async () => {
  const left = new AbortController();
  let ended = false;
  const text = eventText(
    forever(() => (ended = true)),
    { signal: left.signal, heartbeat },
  );
  expect((await text.next()).value).toBe(': still here\n\n');
  expect((await text.next()).value).toBe(': still here\n\n');
  left.abort();
  expect((await text.next()).done).toBe(true);
  await expect.poll(() => ended).toBe(true);
});

test('ends the source whenever the stream ends, also between two events', async () => {
  const endings: string[] = [];
  const eager = (name: string) =>
    new EventStream(async function* () {
      try {
        for (let n = 0; ; n++) yield { event: 'tick', data: n };
      } finally {
        endings.push(name);
      }
    });
  const left = eventText(eager('left'), { signal: new AbortController().signal, heartbeat });
  await left.next();
  await left.return(undefined);
  const ended = new AbortController();
  for await (const _ of eventText(eager('ended'), { signal: ended.signal, heartbeat }))
    ended.abort();
  const check = () => {
    throw new Error('not in the contract');
  };
  await expect(
    collect(
      eventText(eager('unknown'), { signal: new AbortController().signal, heartbeat, check }),
    ),
  ).rejects.toThrow('not in the contract');
  await expect.poll(() => endings).toEqual(['left', 'ended', 'unknown']);
});

test('buffers no events for a caller that reads nothing', async () => {
  let count = 0;
  const eager = new EventStream(async function* (signal) {
    while (!signal.aborted) yield { event: 'tick', data: count++ };
  });
  const text = eventText(eager, { signal: new AbortController().signal, heartbeat });
  await text.next();
  await after(50);
  expect(count).toBeLessThanOrEqual(2);
  await text.return(undefined);
});
