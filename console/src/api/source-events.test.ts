import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { syncEventsEndpoint } from '@patch/contract/sources/sync-events-endpoint.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addReplies, refusal, respond } from '../testing/fake-api.ts';
import { signInAs } from '../testing/sign-in-as.ts';
import { session } from './session.ts';
import { isStreamOpen, listenToSources } from './source-events.ts';

const state = (source: 'debian' | 'mac', label = source as string) =>
  stateOfSource({ source, label });
const line = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const all = line('sources', { objList: [state('debian'), state('mac')] });

interface ServedStream {
  readonly send: (text: string) => void;
  readonly end: () => void;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

const served: ServedStream[] = [];
let status = 200;
let states: SourceState[] | undefined;
let losses = 0;
let stop: () => void = () => undefined;

// Loaded before the fake timers begin.
beforeAll(() => import('eventsource-parser'));

beforeEach(() => {
  // `performance` stays real: faked, it would begin before the last end of a session in another file.
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  served.length = 0;
  status = 200;
  states = undefined;
  losses = 0;
  dispatchEvent(new Event('focus'));
  signInAs({ name: 'stan', userType: 'Standard', timezone: null });
  addReplies(
    respond(syncEventsEndpoint, ({ headers, signal }) => {
      if (status !== 200) return refusal(status);
      let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void (sink = controller),
      });
      signal.addEventListener('abort', () => sink?.error(new Error('aborted')));
      const encoder = new TextEncoder();
      served.push({
        send: (text) => sink?.enqueue(encoder.encode(text)),
        end: () => sink?.close(),
        headers,
        signal,
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }),
  );
  const visible = 'visible' as DocumentVisibilityState;
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const listen = () => {
  stop = listenToSources({
    take: (change) => void (states = change(states)),
    lost: () => void (losses += 1),
  });
};
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);
const soon = () => vi.advanceTimersByTimeAsync(10);

test('applies the last event of each source, also when a line arrives in pieces', async () => {
  listen();
  await soon();
  expect(served[0]?.headers.get('authorization')).toBe('Apikey token');
  expect(served[0]?.headers.get('accept')).toBe('text/event-stream');
  expect(isStreamOpen()).toBe(false);
  served[0]?.send(all.slice(0, 40));
  served[0]?.send(all.slice(40));
  await soon();
  expect(isStreamOpen()).toBe(true);
  expect(states?.map(({ label }) => label)).toEqual(['debian', 'mac']);
  served[0]?.send(`: still here\n\n${line('source', state('mac', 'new'))}`);
  await soon();
  expect(states?.map(({ label }) => label)).toEqual(['debian', 'new']);
});

test('ignores the change of one source while the states are unknown', async () => {
  listen();
  await soon();
  served[0]?.send(line('source', state('mac', 'new')));
  await soon();
  expect(states).toBeUndefined();
});

test('reopens a broken stream after growing pauses, which start over after a stream that lasted', async () => {
  listen();
  await soon();
  served[0]?.send(all);
  await soon();
  served[0]?.end();
  await soon();
  expect([isStreamOpen(), losses]).toEqual([false, 1]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(served).toHaveLength(2);
  served[1]?.end();
  await vi.advanceTimersByTimeAsync(1900);
  expect(served).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(served).toHaveLength(3);
  // The stream was not open, so polling had not stopped.
  expect(losses).toBe(1);
  served[2]?.send(all);
  await vi.advanceTimersByTimeAsync(20_000);
  served[2]?.end();
  await vi.advanceTimersByTimeAsync(1100);
  expect(served).toHaveLength(4);
});

test('pauses longer when each stream breaks off after its first event', async () => {
  listen();
  for (let second = 0, answered = 0; second < 120; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    const opened = served[answered];
    if (opened === undefined) continue;
    opened.send(all);
    opened.end();
    answered++;
  }
  expect(served.length).toBeLessThan(10);
});

test('aborts a stream without heartbeats and reopens it', async () => {
  listen();
  await soon();
  served[0]?.send(all);
  for (let n = 0; n < 5; n++) {
    await vi.advanceTimersByTimeAsync(15_000);
    served[0]?.send(': still here\n\n');
  }
  await soon();
  expect([served.length, isStreamOpen()]).toEqual([1, true]);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(served[0]?.signal.aborted).toBe(true);
  expect([isStreamOpen(), losses]).toEqual([false, 1]);
  await vi.advanceTimersByTimeAsync(1100);
  expect(served).toHaveLength(2);
});

test('closes while the user is away, also during a pause, and reopens when the user is back', async () => {
  listen();
  await soon();
  for (let n = 0; n < 21 * 4 && served[0]?.signal.aborted === false; n++) {
    served[0].send(': still here\n\n');
    await vi.advanceTimersByTimeAsync(15_000);
  }
  expect(served[0]?.signal.aborted).toBe(true);
  await minutes(30);
  expect(served).toHaveLength(1);
  dispatchEvent(new Event('pointermove'));
  await minutes(1);
  expect(served).toHaveLength(2);
  status = 503;
  served[1]?.end();
  await soon();
  await minutes(30);
  status = 200;
  dispatchEvent(new Event('pointermove'));
  await minutes(1);
  expect(served).toHaveLength(3);
});

test('ends the session on a 401 and does not reopen the stream', async () => {
  status = 401;
  listen();
  await vi.waitFor(() => expect(session().token).toBeNull(), { timeout: 10_000 });
  status = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(served).toHaveLength(0);
});

test('stops listening in a hidden tab and resumes when the tab is shown', async () => {
  listen();
  await soon();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await soon();
  expect(served[0]?.signal.aborted).toBe(true);
  expect(isStreamOpen()).toBe(false);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await soon();
  expect(served).toHaveLength(2);
  stop();
  expect(served[1]?.signal.aborted).toBe(true);
});
