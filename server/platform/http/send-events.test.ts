import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { defineEndpoint } from '@patch/contract/endpoint.ts';
import { noBody, noParams, noQuery } from '@patch/contract/no-input.ts';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../logging/logging.ts';
import { closeApp } from './close-app.ts';
import { endpointPlugin } from './endpoint-plugin.ts';
import { EventStream, type ServerEvent } from './event-stream.ts';
import { webServer } from './web-server.ts';

const news = defineEndpoint({
  name: 'news',
  summary: '',
  tag: '',
  method: 'GET',
  path: '/news',
  access: 'standard',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: z.object({ event: z.literal('tick'), data: z.unknown() }),
  streams: 'events',
});
const user = {
  id: 1,
  name: 'stan',
  email: '',
  userType: 'Standard' as const,
  timezone: null,
  mustChangePassword: false,
};
const silentLog = { warn: () => undefined };

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const leave of left.splice(0).toReversed()) await leave();
});

type Events = (signal: AbortSignal) => AsyncGenerator<ServerEvent>;

async function* silent(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  yield { event: 'tick', data: 0 };
  await new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/** Starts a service that streams `events` to every caller, and counts its active sources. */
async function streaming(
  events: Events,
  { findSession = async () => undefined as unknown, holds = async () => true } = {},
) {
  const lines: string[] = [];
  const app = await webServer({
    log: createLog('info', { write: (line) => void lines.push(line) }),
    trustProxy: false,
  });
  const given = { app, lines, holds, working: 0, url: '', port: 0 };
  await app.register(endpointPlugin, {
    findSession: async (session) => {
      await findSession();
      return { user, session, byProvider: false, proven: true };
    },
    sessionHolds: () => given.holds(),
    checkReplies: true,
    eventTimes: { heartbeat: 20, holdsAsked: 30, takingLeave: 50 },
  });
  async function* counted(signal: AbortSignal) {
    given.working++;
    try {
      yield* events(signal);
    } finally {
      given.working--;
    }
  }
  app.endpoint(news, async () => new EventStream(counted) as never);
  given.url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/news`;
  given.port = (app.server.address() as AddressInfo).port;
  left.push(() => closeApp(app, silentLog, 500));
  return given;
}

async function listen(url: string, { session = 'one', method = 'GET' } = {}) {
  const leaving = new AbortController();
  const reply = await fetch(url, {
    method,
    signal: leaving.signal,
    headers: { authorization: `Apikey ${session}`, 'accept-encoding': 'gzip' },
  });
  let heard = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of reply.body ?? [])
      heard += decoder.decode(piece as Uint8Array, { stream: true });
  })();
  const ended = reading.then(
    () => 'ended',
    () => 'broken off',
  );
  return { reply, ended, leave: () => leaving.abort(), heard: () => heard };
}

/** Opens a client that sends a request and never reads the response. */
function stalled(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /api/news HTTP/1.1\r\nhost: here\r\nauthorization: Apikey one\r\n\r\n');
  left.push(() => socket.destroy());
  return socket;
}

test('sends each line at once, neither buffered nor compressed, and a comment when idle', async () => {
  const { url } = await streaming(silent);
  const { reply, heard } = await listen(url);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(reply.headers.has('content-encoding')).toBe(false);
  await expect.poll(heard).toMatch(/^id: 1\nevent: tick\ndata: 0\n\n(: still here\n\n){2}/);
});

test('returns 401 without a session, and starts no source for a HEAD request', async () => {
  const given = await streaming(silent);
  expect((await fetch(given.url)).status).toBe(401);
  expect((await listen(given.url, { method: 'HEAD' })).reply.status).toBe(200);
  await expect.poll(() => given.working).toBe(0);
});

test('ends when the caller disconnects', async () => {
  const given = await streaming(silent);
  const { leave, heard } = await listen(given.url);
  await expect.poll(heard).toContain('tick');
  expect(given.working).toBe(1);
  leave();
  await expect.poll(() => given.working).toBe(0);
});

test('ends with the session, and survives a database outage', async () => {
  const given = await streaming(silent);
  const { ended, heard } = await listen(given.url);
  let asked = 0;
  given.holds = () => {
    asked++;
    return Promise.reject(new Error('away'));
  };
  await expect.poll(() => asked).toBeGreaterThan(2);
  const before = heard().length;
  await expect.poll(() => heard().length).toBeGreaterThan(before);
  given.holds = () => Promise.resolve(false);
  expect(await ended).toBe('ended');
  await expect.poll(() => given.working).toBe(0);
});

test('allows ten streams per session, and frees those of callers that disconnect, even during authentication', async () => {
  const given = await streaming(silent, { findSession: () => after(20) });
  for (let n = 0; n < 12; n++) {
    const hasty = new AbortController();
    const asking = fetch(given.url, {
      headers: { authorization: 'Apikey one' },
      signal: hasty.signal,
    });
    await after(10);
    hasty.abort();
    await expect(asking).rejects.toThrow('aborted');
  }
  const ten = await Promise.all(Array.from({ length: 10 }, () => listen(given.url)));
  expect(ten.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 10 }, () => 200));
  const { reply, heard } = await listen(given.url);
  expect(reply.status).toBe(429);
  expect(reply.headers.has('retry-after')).toBe(true);
  await expect.poll(heard).toContain('"code":"too_many_streams"');
  expect((await listen(given.url, { session: 'other' })).reply.status).toBe(200);
  ten[0]?.leave();
  await expect.poll(async () => (await listen(given.url)).reply.status).toBe(200);
});

const large = 'x'.repeat(100_000);

test('buffers little for a client that reads nothing, and ends with its session', async () => {
  let made = 0;
  const given = await streaming(async function* (signal) {
    for (; !signal.aborted; made++) yield { event: 'tick', data: large };
  });
  stalled(given.port);
  await expect.poll(() => made).toBeGreaterThan(3);
  await after(200);
  // The buffers of the operating system take some megabytes, and the stream one more event.
  const before = made;
  expect(before).toBeLessThan(200);
  await after(200);
  expect(made).toBe(before);
  expect(given.working).toBe(1);
  given.holds = () => Promise.resolve(false);
  await expect.poll(() => given.working).toBe(0);
});

test('stops at once despite open streams, one of them without a reader', async () => {
  const given = await streaming(async function* (signal) {
    for (; !signal.aborted; await after(1)) yield { event: 'tick', data: large };
  });
  stalled(given.port);
  const { ended, heard } = await listen(given.url);
  await expect.poll(heard).toContain('tick');
  await after(200);
  const begun = performance.now();
  await closeApp(given.app, silentLog, 10_000);
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(await ended).toBe('ended');
  await expect.poll(() => given.working).toBe(0);
});

test('aborts on an event outside the contract, and logs why', async () => {
  const given = await streaming(async function* () {
    yield { event: 'tick', data: 0 };
    await after(20);
    yield { event: 'unheard', data: 0 };
  });
  expect(await (await listen(given.url)).ended).toBe('broken off');
  expect(given.lines.join('')).toMatch(/"requestId":"\w+".*ZodError.*"an event stream failed"/s);
});
