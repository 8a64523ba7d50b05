import { type SourceState, sourcesEndpoint } from '@patch/contract/sync-endpoints.ts';
import { syncEventsEndpoint } from '@patch/contract/sync-events-endpoint.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addReplies, reply, respond, sentCalls } from '../testing/fake-api.ts';
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
  readonly tell: (event: string, data: object) => void;
  readonly end: () => void;
}

/** The streams that are or were open. */
let streams: Stream[] = [];
const asked = () => sentCalls().filter(({ path }) => path === '/patchsync/sources').length;
const sources = (...objList: SourceState[]) => ({ objList, totalCount: objList.length });
const answer = (state: SourceState) => addReplies(reply(sourcesEndpoint, sources(state)));

beforeEach(() => {
  vi.useFakeTimers();
  dispatchEvent(new Event('focus'));
  signInAs({ name: 'stan', userType: 'Standard', timezone: null });
  streams = [];
  answer(debian('asked'));
  addReplies(
    respond(syncEventsEndpoint, ({ signal }) => {
      let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void (sink = controller),
      });
      signal.addEventListener('abort', () => sink?.error(new Error('aborted')));
      streams.push({
        tell: (event, data) =>
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

async function shown(): Promise<void> {
  render(
    <QueryClientProvider client={newQueryClient()}>
      <Layout />
    </QueryClientProvider>,
  );
  await pass(10);
}
const tell = async (event: string, data: object) => {
  streams.at(-1)?.tell(event, data);
  await pass(10);
};

test('one stream serves every component, and while it is open nobody asks', async () => {
  await shown();
  expect([streams.length, asked()]).toEqual([1, 1]);
  await tell('sources', { objList: [debian('told', true)] });
  expect(screen.getAllByText(/: told$/)).toHaveLength(2);
  await tell('source', debian('told again', true));
  expect(screen.getAllByText(/: told again$/)).toHaveLength(2);
  await pass(30_000);
  expect([streams.length, asked()]).toEqual([1, 1]);
});

test('until it is open it is asked each 15 seconds, and each second while a source is synced', async () => {
  await shown();
  await pass(31_000);
  expect(asked()).toBe(3);
  answer(debian('asked', true));
  await pass(14_100);
  expect(asked()).toBe(4);
  await pass(5000);
  expect(asked()).toBeGreaterThanOrEqual(8);
});

test('when it breaks off it is asked at once and goes on being asked; a server that is away not each second', async () => {
  await shown();
  await tell('sources', { objList: [debian('told', true)] });
  answer(debian('asked', true));
  streams[0]?.end();
  await pass(10);
  expect(asked()).toBe(2);
  expect(screen.getAllByText(/: asked$/)).toHaveLength(2);
  await pass(5000);
  expect(asked()).toBeGreaterThanOrEqual(6);
  addReplies(respond(sourcesEndpoint, () => new Response('', { status: 500 })));
  await pass(2000);
  const before = asked();
  await pass(30_000);
  expect(asked() - before).toBeLessThanOrEqual(2);
});

test('an answer that comes after what was told, but was read before, is not believed', async () => {
  const late = Promise.withResolvers<ReturnType<typeof sources>>();
  addReplies(reply(sourcesEndpoint, () => late.promise));
  await shown();
  await tell('sources', { objList: [debian('told')] });
  late.resolve(sources(debian('old', true)));
  await pass(100);
  expect(screen.getAllByText(/: told$/)).toHaveLength(2);
});
