import type { Run, RunChange } from '@patch/contract/sync-endpoints.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { RunDrawer } from './run-drawer.tsx';

const run = (id: number, state: Run['state'], more: Partial<Run> = {}): Run => ({
  id,
  source: 'debian',
  state,
  startedBy: 'schedule',
  queuedAt: 1000,
  startedAt: 1000,
  endedAt: 2000,
  stage: null,
  done: 0,
  total: 0,
  added: 0,
  changed: 0,
  withdrawn: 0,
  unchanged: 10,
  rejected: 0,
  message: null,
  warnings: [],
  ...more,
});
const failed = run(8, 'failed', {
  message: { code: 'text', params: { text: 'It did not answer.' } },
});
const busy = run(7, 'succeeded', { added: 2, withdrawn: 1 });
const debian = (newest: Run) => stateOfSource({ run: newest });
const changes = (['added', 'returned', 'withdrawn'] as const).map(
  (kind, at): RunChange => ({
    id: at + 1,
    list: 'debian_patch',
    rowId: at + 41,
    identity: `DSA-${at}`,
    kind,
    fields: {},
  }),
);

beforeEach(() => {
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://console');
    const kinds = searchParams.get('kind')?.split(',');
    const objList = pathname.endsWith('/changes')
      ? changes.filter(({ kind }) => kinds?.includes(kind) ?? true)
      : [failed, busy].map((each) => ({
          id: each.id,
          time: 2000,
          patchCount: 0,
          type: 'debian',
          status: 'failed',
          run: each,
        }));
    return new Response(JSON.stringify({ objList, totalCount: objList.length }));
  });
});

afterEach(() => void vi.unstubAllGlobals());

async function open(address: string, state = debian(failed), mayAct = true) {
  const onRetry = vi.fn();
  const drawer = () => (
    <RunDrawer
      source="debian"
      state={state}
      onRetry={mayAct ? onRetry : undefined}
      onClose={() => undefined}
    />
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: drawer }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByText('Started by');
  return { onRetry, search: () => router.state.location.searchStr };
}

it('offers to try a failed run again, and opens the newest', async () => {
  const { onRetry, search } = await open('/?source=debian&run=8');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledExactlyOnceWith('debian');
  await waitFor(() => expect(search()).toBe('?source=debian'));
});

it('says why it cannot be tried again now', async () => {
  await open(
    '/?source=debian&run=8',
    debian(run(9, 'running', { endedAt: null, startedBy: 'operator' })),
  );
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Retry' }).disabled).toBe(true);
  expect(
    screen.getByText('A sync of Debian is already running, started by operator.'),
  ).toBeTruthy();
});

it.each([
  ['a run that succeeded', '/?source=debian&run=7', true],
  ['a person who may only look', '/?source=debian&run=8', false],
])('offers no retry for %s', async (_, address, mayAct) => {
  await open(address, debian(failed), mayAct);
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('shows the changes of the sort that the address names, each a link to its record', async () => {
  await open('/?source=debian&run=7&show=changes&kind=withdrawn');
  const link = await screen.findByRole('link', { name: 'DSA-2' });
  expect(link.getAttribute('href')).toBe('/patch-repository/debian-patch/record/43');
  expect(screen.queryByRole('link', { name: 'DSA-0' })).toBeNull();
});

it('counts what has returned among what was added', async () => {
  const { search } = await open('/?source=debian&run=7');
  fireEvent.click(await screen.findByRole('radio', { name: 'Added 2' }));
  await waitFor(() => expect(search()).toContain('kind=added'));
  expect(await screen.findByRole('link', { name: 'DSA-1' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'DSA-2' })).toBeNull());
});
