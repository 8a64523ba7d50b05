import type { SourceState } from '@patch/contract/sync-calls.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { session, signIn, signOut } from './session.ts';
import { isTold, listenToSources } from './source-events.ts';

const state = (source: 'debian' | 'mac', label = source as string): SourceState => ({
  source,
  label,
  available: true,
  enabled: true,
  homepage: null,
  lists: [],
  schedule: null,
  scheduleWords: null,
  nextRunAt: null,
  lastSuccessAt: null,
  run: null,
  held: [],
});
const line = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const all = line('sources', { objList: [state('debian'), state('mac')] });

interface Served {
  readonly send: (text: string) => void;
  readonly end: () => void;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

const served: Served[] = [];
let refusal: number | null = null;
let known: SourceState[] | undefined;
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  served.length = 0;
  refusal = null;
  known = undefined;
  signIn('token', { id: 1, name: 'stan', email: '', userType: 'Standard', timezone: null, mustChangePassword: false });
  vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
    if (refusal !== null) return new Response('{}', { status: refusal });
    let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sink = controller) });
    init.signal?.addEventListener('abort', () => sink?.error(new Error('aborted')));
    const encoder = new TextEncoder();
    served.push({
      send: (text) => sink?.enqueue(encoder.encode(text)),
      end: () => sink?.close(),
      headers: init.headers as Record<string, string>,
      signal: init.signal as AbortSignal,
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const visible = 'visible' as DocumentVisibilityState;
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  signOut();
});

const listen = () => {
  stop = listenToSources((change) => void (known = change(known)));
};
const soon = () => vi.advanceTimersByTimeAsync(10);

test('the states are those that were told last, also when a line comes in pieces', async () => {
  listen();
  await soon();
  expect(served[0]?.headers).toMatchObject({ Authorization: 'Apikey token', Accept: 'text/event-stream' });
  expect(isTold()).toBe(false);
  served[0]?.send(all.slice(0, 40));
  served[0]?.send(all.slice(40));
  await soon();
  expect(isTold()).toBe(true);
  expect(known?.map(({ label }) => label)).toEqual(['debian', 'mac']);
  served[0]?.send(`: still here\n\n${line('source', state('mac', 'new'))}`);
  await soon();
  expect(known?.map(({ label }) => label)).toEqual(['debian', 'new']);
});

test('one that breaks off is opened anew, after growing rests', async () => {
  listen();
  await soon();
  served[0]?.send(all);
  await soon();
  served[0]?.end();
  await soon();
  expect(isTold()).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(served).toHaveLength(2);
  served[1]?.end();
  await vi.advanceTimersByTimeAsync(1900);
  expect(served).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(served).toHaveLength(3);
});

test('a session that has ended is not asked again, and ends here', async () => {
  refusal = 401;
  listen();
  await soon();
  expect(session().token).toBeNull();
  refusal = null;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(served).toHaveLength(0);
});

test('a hidden tab listens no more, and listens again when it is seen', async () => {
  listen();
  await soon();
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await soon();
  expect(served[0]?.signal.aborted).toBe(true);
  expect(isTold()).toBe(false);
  seen.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await soon();
  expect(served).toHaveLength(2);
  stop();
  expect(served[1]?.signal.aborted).toBe(true);
});
