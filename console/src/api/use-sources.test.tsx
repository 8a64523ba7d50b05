import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newQueryClient } from './query-client.ts';
import { signIn, signOut } from './session.ts';
import { useSourceEvents } from './use-source-events.ts';
import { useSources } from './use-sources.ts';

const debian = (label: string, running = false) =>
  stateOfSource({
    label,
    run: running
      ? {
          id: 1,
          source: 'debian',
          state: 'running',
          startedBy: 'schedule',
          queuedAt: 1,
          startedAt: 1,
          endedAt: null,
          stage: null,
          done: 0,
          total: 0,
          added: 0,
          changed: 0,
          withdrawn: 0,
          unchanged: 0,
          rejected: 0,
          message: null,
          warnings: [],
        }
      : null,
  });

/** What the server does: the open streams, the questions asked, and what is answered to them. */
const server = {
  streams: [] as { tell: (event: string, data: object) => void; end: () => void }[],
  asked: 0,
  answer: (): Promise<Response> => Promise.reject(new Error('away')),
};
const sources = (...objList: SourceState[]) =>
  new Response(JSON.stringify({ objList, totalCount: objList.length }));

beforeEach(() => {
  vi.useFakeTimers();
  dispatchEvent(new Event('focus'));
  signIn('token', {
    id: 1,
    name: 'stan',
    email: '',
    userType: 'Standard',
    timezone: null,
    mustChangePassword: false,
  });
  Object.assign(server, {
    streams: [],
    asked: 0,
    answer: () => Promise.resolve(sources(debian('asked'))),
  });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address.endsWith('/sources')) {
      server.asked++;
      return server.answer();
    }
    let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (sink = controller),
    });
    init.signal?.addEventListener('abort', () => sink?.error(new Error('aborted')));
    server.streams.push({
      tell: (event, data) =>
        sink?.enqueue(
          new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        ),
      end: () => sink?.close(),
    });
    return new Response(body);
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  signOut();
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
  server.streams.at(-1)?.tell(event, data);
  await pass(10);
};

test('one stream serves every component, and while it is open nobody asks', async () => {
  await shown();
  expect([server.streams.length, server.asked]).toEqual([1, 1]);
  await tell('sources', { objList: [debian('told', true)] });
  expect(screen.getAllByText(/: told$/)).toHaveLength(2);
  await tell('source', debian('told again', true));
  expect(screen.getAllByText(/: told again$/)).toHaveLength(2);
  await pass(30_000);
  expect([server.streams.length, server.asked]).toEqual([1, 1]);
});

test('until it is open it is asked each 15 seconds, and each second while a source is synced', async () => {
  await shown();
  await pass(31_000);
  expect(server.asked).toBe(3);
  server.answer = () => Promise.resolve(sources(debian('asked', true)));
  await pass(14_100);
  expect(server.asked).toBe(4);
  await pass(5000);
  expect(server.asked).toBeGreaterThanOrEqual(8);
});

test('when it breaks off it is asked at once and goes on being asked; a server that is away not each second', async () => {
  await shown();
  await tell('sources', { objList: [debian('told', true)] });
  server.answer = () => Promise.resolve(sources(debian('asked', true)));
  server.streams[0]?.end();
  await pass(10);
  expect(server.asked).toBe(2);
  expect(screen.getAllByText(/: asked$/)).toHaveLength(2);
  await pass(5000);
  expect(server.asked).toBeGreaterThanOrEqual(6);
  server.answer = () => Promise.resolve(new Response('', { status: 500 }));
  await pass(2000);
  const before = server.asked;
  await pass(30_000);
  expect(server.asked - before).toBeLessThanOrEqual(2);
});

test('an answer that comes after what was told, but was read before, is not believed', async () => {
  let late: (reply: Response) => void = () => undefined;
  server.answer = () => new Promise((resolve) => (late = resolve));
  await shown();
  await tell('sources', { objList: [debian('told')] });
  late(sources(debian('old', true)));
  await pass(100);
  expect(screen.getAllByText(/: told$/)).toHaveLength(2);
});
