import { type Run, type RunState, runStates, type SourceState } from '@patch/contract/sync-calls.ts';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { stateLooks } from './run-words.ts';
import { SourceRow, type SourceRowProps } from './source-row.tsx';

const now = Date.now();
const hour = 3_600_000;

const runIn = (state: RunState, more: Partial<Run> = {}): Run => ({
  id: 1,
  source: 'debian',
  state,
  startedBy: 'schedule',
  queuedAt: now - hour,
  startedAt: now - hour,
  endedAt: state === 'queued' || state === 'running' ? null : now - hour + 125_000,
  stage: '',
  done: 0,
  total: 0,
  added: 0,
  changed: 0,
  withdrawn: 0,
  unchanged: 10,
  rejected: 0,
  message: '',
  warnings: [],
  ...more,
});

const debian = (more: Partial<SourceState> = {}): SourceState => ({
  source: 'debian',
  label: 'Debian',
  available: true,
  homepage: 'https://security-tracker.debian.org/',
  lists: [{ key: 'debian_patch', label: 'Debian patches', rows: 41_000 }],
  schedule: '15 3 * * *',
  nextRunAt: now + 2 * hour + 60_000,
  lastSuccessAt: now - 30 * hour,
  run: null,
  ...more,
});

async function show(state: SourceState, more: Partial<SourceRowProps> = {}) {
  const asked = { onStart: vi.fn(), onCancel: vi.fn(), onHistory: vi.fn() };
  const row = () => (
    <ul>
      <SourceRow state={state} mayAct asked={false} {...asked} {...more} />
    </ul>
  );
  const router = createRouter({ routeTree: createRootRoute({ component: row }), history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  await screen.findByRole('heading', { name: 'Debian' });
  return asked;
}

describe('a source’s row', () => {
  it.each(runStates)('says %s in a word', async (state) => {
    await show(debian({ run: runIn(state) }));
    expect(screen.getByText(stateLooks[state].word)).toBeTruthy();
  });

  it('names its lists with their numbers, the schedule and the next run', async () => {
    await show(debian());
    expect(screen.getByRole('link', { name: 'Debian patches 41,000' }).getAttribute('href')).toBe('/patch-repository/debian-patch');
    expect(screen.getByText('Daily at 03:15 UTC')).toBeTruthy();
    expect(screen.getByText('in 2 hours')).toBeTruthy();
    expect(screen.getByText('Never synced')).toBeTruthy();
  });

  it('starts a sync, and shows the history of one that has run', async () => {
    const { onStart, onHistory } = await show(debian({ run: runIn('succeeded', { added: 1204, rejected: 4 }) }));
    fireEvent.click(screen.getByRole('button', { name: 'Sync Debian' }));
    fireEvent.click(screen.getByRole('button', { name: 'History of Debian' }));
    expect(onStart).toHaveBeenCalledTimes(1);
    expect(onHistory).toHaveBeenCalledTimes(1);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('+1,204 added');
  });

  it('shows how far a running one is, and offers to cancel in place of to start', async () => {
    await show(debian({ run: runIn('running', { stage: 'Writing Debian', done: 12, total: 48 }) }));
    const bar = screen.getByRole('progressbar', { name: 'Sync of Debian' });
    expect(bar.getAttribute('aria-valuenow')).toBe('25');
    expect(bar.getAttribute('aria-valuetext')).toBe('Writing Debian 12 of 48');
    expect(screen.getByRole('button', { name: 'Cancel the sync of Debian' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sync Debian' })).toBeNull();
  });

  it('says what failed and when it last went well', async () => {
    await show(debian({ run: runIn('failed', { message: 'It did not answer. Check the network.' }) }));
    expect(screen.getByText('It did not answer. Check the network.')).toBeTruthy();
    expect(screen.getByText('30 hours ago')).toBeTruthy();
    expect(screen.getByText('Nothing changed')).toBeTruthy();
  });

  it('calls nothing new a success', async () => {
    await show(debian({ run: runIn('succeeded') }));
    expect(screen.getByText('Nothing new')).toBeTruthy();
  });

  it('is calm about a source without a feed, and offers nothing', async () => {
    await show(debian({ available: false, lastSuccessAt: null }));
    expect(screen.getByText(/cannot read this vendor's publication/)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('lets a Standard user look, not act', async () => {
    await show(debian({ run: runIn('succeeded') }), { mayAct: false });
    expect(screen.queryByRole('button', { name: 'Sync Debian' })).toBeNull();
    expect(screen.getByRole('button', { name: 'History of Debian' })).toBeTruthy();
  });
});
