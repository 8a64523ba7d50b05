import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { defineEndpoint } from '@patch/contract/base/endpoint.ts';
import { noBody, noParams, noQuery } from '@patch/contract/base/no-input.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createLog } from '../logging/logging.ts';
import { endpointPlugin } from './endpoint-plugin.ts';
import { EventStream, type ServerEvent } from './event-stream.ts';
import { closeApp } from './listen.ts';
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

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const leave of cleanups.splice(0).toReversed()) await leave();
});

type Events = (signal: AbortSignal) => AsyncGenerator<ServerEvent>;

async function* silent(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  yield { event: 'tick', data: 0 };
  await new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/** Starts a service that streams `events` to every caller, and counts its active sources. */
async function startService(
  events: Events,
  { findSession = async () => undefined as unknown, isValid = async () => true } = {},
) {
  const lines: string[] = [];
  const app = await webServer({
    log: createLog('info', { write: (line) => void lines.push(line) }),
    trustProxy: false,
  });
  const service = { app, lines, isValid, working: 0, url: '', port: 0 };
  await app.register(endpointPlugin, {
    findSession: async (session) => {
      await findSession();
      return { user, session, byProvider: false, proven: true };
    },
    isSessionValid: () => service.isValid(),
    checkReplies: true,
    eventTimes: { heartbeatMs: 20, sessionCheckMs: 30, drainMs: 50 },
  });
  async function* counted(signal: AbortSignal) {
    service.working++;
    try {
      yield* events(signal);
    } finally {
      service.working--;
    }
  }
  app.endpoint(news, async () => new EventStream(counted) as never);
  service.url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/news`;
  service.port = (app.server.address() as AddressInfo).port;
  cleanups.push(() => closeApp(app, silentLog, 500));
  return service;
}

async function listen(url: string, { session = 'one', method = 'GET' } = {}) {
  const leaving = new AbortController();
  const reply = await fetch(url, {
    method,
    signal: leaving.signal,
    headers: { authorization: `Apikey ${session}`, 'accept-encoding': 'gzip' },
  });
  let received = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of reply.body ?? [])
      received += decoder.decode(piece as Uint8Array, { stream: true });
  })();
  const ended = reading.then(
    () => 'ended',
    () => 'broken off',
  );
  return { reply, ended, leave: () => leaving.abort(), received: () => received };
}

/** Opens a client that sends a request and never reads the response. */
function openStalled(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /api/news HTTP/1.1\r\nhost: here\r\nauthorization: Apikey one\r\n\r\n');
  cleanups.push(() => socket.destroy());
  return socket;
}

test('sends each line at once, neither buffered nor compressed, and a comment when idle', async () => {
  const { url } = await startService(silent);
  const { reply, received } = await listen(url);
  expect(reply.status).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(reply.headers.has('content-encoding')).toBe(false);
  await expect.poll(received).toMatch(/^id: 1\nevent: tick\ndata: 0\n\n(: still here\n\n){2}/);
});

test('returns 401 without a session, and starts no source for a HEAD request', async () => {
  const service = await startService(silent);
  expect((await fetch(service.url)).status).toBe(401);
  expect((await listen(service.url, { method: 'HEAD' })).reply.status).toBe(200);
  await expect.poll(() => service.working).toBe(0);
});

test('ends with the session, and survives a database outage', async () => {
  const service = await startService(silent);
  const { ended, received } = await listen(service.url);
  let checks = 0;
  service.isValid = () => {
    checks++;
    return Promise.reject(new Error('away'));
  };
  await expect.poll(() => checks).toBeGreaterThan(2);
  const before = received().length;
  await expect.poll(() => received().length).toBeGreaterThan(before);
  service.isValid = () => Promise.resolve(false);
  expect(await ended).toBe('ended');
  await expect.poll(() => service.working).toBe(0);
});

test('allows ten streams per session, and frees those of callers that disconnect, even during authentication', async () => {
  const service = await startService(silent, { findSession: () => after(20) });
  for (let n = 0; n < 12; n++) {
    const hasty = new AbortController();
    const asking = fetch(service.url, {
      headers: { authorization: 'Apikey one' },
      signal: hasty.signal,
    });
    await after(10);
    hasty.abort();
    await expect(asking).rejects.toThrow('aborted');
  }
  const ten = await Promise.all(Array.from({ length: 10 }, () => listen(service.url)));
  expect(ten.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 10 }, () => 200));
  const { reply, received } = await listen(service.url);
  expect(reply.status).toBe(429);
  expect(reply.headers.has('retry-after')).toBe(true);
  await expect.poll(received).toContain('"code":"too_many_streams"');
  expect((await listen(service.url, { session: 'other' })).reply.status).toBe(200);
  ten[0]?.leave();
  await expect.poll(async () => (await listen(service.url)).reply.status).toBe(200);
});

const large = 'x'.repeat(100_000);

test('buffers little for a client that reads nothing, and ends with its session', async () => {
  let count = 0;
  const service = await startService(async function* (signal) {
    for (; !signal.aborted; count++) yield { event: 'tick', data: large };
  });
  openStalled(service.port);
  await expect.poll(() => count).toBeGreaterThan(3);
  await after(200);
  // The buffers of the operating system take some megabytes, and the stream one more event.
  const before = count;
  expect(before).toBeLessThan(200);
  await after(200);
  expect(count).toBe(before);
  expect(service.working).toBe(1);
  service.isValid = () => Promise.resolve(false);
  await expect.poll(() => service.working).toBe(0);
});

test('stops at once despite open streams, one of them without a reader', async () => {
  const service = await startService(async function* (signal) {
    for (; !signal.aborted; await after(1)) yield { event: 'tick', data: large };
  });
  openStalled(service.port);
  const { ended, received } = await listen(service.url);
  await expect.poll(received).toContain('tick');
  await after(200);
  const log = { warn: vi.fn() };
  await closeApp(service.app, log, 10_000);
  expect(log.warn).not.toHaveBeenCalled();
  expect(await ended).toBe('ended');
  await expect.poll(() => service.working).toBe(0);
});

test('aborts on an event outside the contract, and logs why', async () => {
  const service = await startService(async function* () {
    yield { event: 'tick', data: 0 };
    await after(20);
    yield { event: 'unheard', data: 0 };
  });
  expect(await (await listen(service.url)).ended).toBe('broken off');
  expect(service.lines.join('')).toMatch(/"requestId":"\w+".*ZodError.*"an event stream failed"/s);
});
