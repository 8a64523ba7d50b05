import type { RunChange } from '@patch/contract/sources/run-endpoints.ts';
import { fetchAuditEndpoint, runChangesEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { reply } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { RunDrawer } from './run-drawer.tsx';

const run = (id: number, state: Run['state'], more: Partial<Run> = {}): Run =>
  runOfSource({
    id,
    state,
    queuedAt: 1000,
    startedAt: 1000,
    endedAt: 2000,
    unchanged: 10,
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

const running = run(9, 'running', { endedAt: null });
const toHistoryRow = (each: Run) => ({
  id: each.id,
  time: 2000,
  patchCount: 0,
  type: 'debian' as const,
  status: 'failed' as const,
  run: each,
});

const toReplies = (runs: readonly Run[]) => [
  reply(runChangesEndpoint, ({ query }) => {
    const kinds = query['kind']?.split(',');
    const objList = changes.filter(({ kind }) => kinds?.includes(kind) ?? true);
    return { objList, totalCount: objList.length };
  }),
  reply(fetchAuditEndpoint, {
    objList: runs.map(toHistoryRow),
    totalCount: runs.length,
  }),
];

async function open(address: string, state = debian(failed), mayAct = true, runs = [failed, busy]) {
  const onRetry = vi.fn();
  const { router } = await renderInApp(
    <RunDrawer
      source="debian"
      state={state}
      onRetry={mayAct ? onRetry : undefined}
      onClose={() => undefined}
    />,
    { path: address, replies: toReplies(runs) },
  );
  await screen.findByText('Started by');
  return { onRetry, search: () => router.state.location.searchStr };
}

it('offers to retry a failed run, and opens the latest run', async () => {
  const { onRetry, search } = await open('/?source=debian&run=8');
  await person.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledExactlyOnceWith('debian');
  await waitFor(() => expect(search()).toBe('?source=debian'));
});

it('explains why a retry is not possible now', async () => {
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

it('shows changes of the kind in the address, each linked to its record', async () => {
  await open('/?source=debian&run=7&show=changes&kind=withdrawn');
  const link = await screen.findByRole('link', { name: 'DSA-2' });
  expect(link.getAttribute('href')).toBe('/patch-repository/debian-patch/record/43');
  expect(screen.queryByRole('link', { name: 'DSA-0' })).toBeNull();
});

it('counts returned records as added', async () => {
  const { search } = await open('/?source=debian&run=7');
  await person.click(await screen.findByRole('radio', { name: 'Added 2' }));
  await waitFor(() => expect(search()).toContain('kind=added'));
  expect(await screen.findByRole('link', { name: 'DSA-1' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'DSA-2' })).toBeNull());
});

it('does not say that a run changed nothing before it has ended', async () => {
  await open('/?source=debian&run=9', debian(running), true, [running]);
  expect(screen.getByText('No changes so far.')).toBeTruthy();
  expect(screen.queryByText(/^No changes\.$|Nothing changed|Nothing new/)).toBeNull();
});
