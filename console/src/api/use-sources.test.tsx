import { type SourceState, sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { syncEventsEndpoint } from '@patch/contract/sources/sync-events-endpoint.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addReplies, reply, respond, sentTo } from '../testing/fake-api.ts';
import { signInAs } from '../testing/sign-in-as.ts';
import { newQueryClient } from './query-client.ts';
import { useSourceEvents } from './use-source-events.ts';
import { useSources } from './use-sources.ts';

const debian = (label: string, running = false) =>
  stateOfSource({
    label,
    run: running ? runOfSource({ state: 'running', endedAt: null }) : null,
  });

interface Stream {
  readonly send: (event: string, data: object) => void;
  readonly end: () => void;
}

/** All streams so far, the latest last. */
let streams: Stream[] = [];
const countPolls = () => sentTo(sourcesEndpoint).length;
const sources = (...objList: SourceState[]) => ({ objList, totalCount: objList.length });
const answer = (state: SourceState) => addReplies(reply(sourcesEndpoint, sources(state)));

// Fake time does not wait for a module that is loaded late.
beforeAll(() => import('eventsource-parser'));

beforeEach(() => {
  vi.useFakeTimers();
  dispatchEvent(new Event('focus'));
  signInAs({ name: 'stan', userType: 'Standard', timezone: null });
  streams = [];
  answer(debian('polled'));
  addReplies(
    respond(syncEventsEndpoint, ({ signal }) => {
      let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void (sink = controller),
      });
      signal.addEventListener('abort', () => sink?.error(new Error('aborted')));
      streams.push({
        send: (event, data) =>
          sink?.enqueue(
            new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
          ),
        end: () => sink?.close(),
      });
      return new Response(body);
    }),
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Labels({ name }: { readonly name: string }) {
  const { data } = useSources();
  return <p>{`${name}: ${data?.map(({ label }) => label).join() ?? 'nothing'}`}</p>;
}

function Layout() {
  useSourceEvents();
  return (
    <>
      <Labels name="pill" />
      <Labels name="screen" />
    </>
  );
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

async function renderLayout(): Promise<void> {
  render(
    <QueryClientProvider client={newQueryClient()}>
      <Layout />
    </QueryClientProvider>,
  );
  await pass(1010);
}
const send = async (event: string, data: object) => {
  streams.at(-1)?.send(event, data);
  await pass(10);
};

test('opens one stream for all components and does not poll while it is open', async () => {
  await renderLayout();
  expect([streams.length, countPolls()]).toEqual([1, 1]);
  await send('sources', { objList: [debian('sent', true)] });
  expect(screen.getAllByText(/: sent$/)).toHaveLength(2);
  await send('source', debian('sent again', true));
  expect(screen.getAllByText(/: sent again$/)).toHaveLength(2);
  await pass(30_000);
  expect([streams.length, countPolls()]).toEqual([1, 1]);
});

test('polls each 15 seconds before the stream opens, and each second while a source is synced', async () => {
  await renderLayout();
  await pass(31_000);
  expect(countPolls()).toBe(3);
  answer(debian('polled', true));
  await pass(13_100);
  expect(countPolls()).toBe(4);
  await pass(5000);
  expect(countPolls()).toBeGreaterThanOrEqual(8);
});

test('polls at once when the stream breaks off, and slower while the server fails', async () => {
  await renderLayout();
  await send('sources', { objList: [debian('sent', true)] });
  answer(debian('polled', true));
  streams[0]?.end();
  await pass(10);
  expect(countPolls()).toBe(2);
  expect(screen.getAllByText(/: polled$/)).toHaveLength(2);
  await pass(5000);
  expect(countPolls()).toBeGreaterThanOrEqual(6);
  addReplies(respond(sourcesEndpoint, () => new Response('', { status: 500 })));
  await pass(2000);
  const before = countPolls();
  await pass(30_000);
  expect(countPolls() - before).toBeLessThanOrEqual(2);
});

test('discards a reply that was pending when an event arrived', async () => {
  const late = Promise.withResolvers<ReturnType<typeof sources>>();
  addReplies(reply(sourcesEndpoint, () => late.promise));
  await renderLayout();
  await send('sources', { objList: [debian('sent')] });
  late.resolve(sources(debian('old', true)));
  await pass(100);
  expect(screen.getAllByText(/: sent$/)).toHaveLength(2);
});
