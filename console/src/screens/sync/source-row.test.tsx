import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import {
  type Run,
  type RunState,
  type SourceState,
} from '@patch/contract/sources/sync-endpoints.ts';
import { quarantineOf } from '@patch/contract/testing/quarantine-of.ts';
import { runOfSource } from '@patch/contract/testing/run-of-source.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { SourceRow, type SourceRowProps } from './source-row.tsx';

const now = Date.now();
const hour = 3_600_000;

const debian12 = { part: '12', partLabel: 'Debian 12' };
const debian12List = { ...debian12, list: 'debian_patch', listLabel: 'Debian patches' };
const toMessage = (text: string): RunMessage => ({ code: 'text', params: { text } });

const toRun = (state: RunState, more: Partial<Run> = {}) => runOfSource({ state, ...more });

const debian = (more: Partial<SourceState> = {}) =>
  stateOfSource({
    homepage: 'https://security-tracker.debian.org/',
    lists: [{ key: 'debian_patch', label: 'Debian patches', rows: 41_000 }],
    schedule: '15 3 * * *',
    scheduleWords: 'Daily at 03:15 UTC',
    nextRunAt: now + 2 * hour + 60_000,
    lastSuccessAt: now - 30 * hour,
    ...more,
  });

async function show(state: SourceState, more: Partial<SourceRowProps> = {}) {
  const handlers = {
    onStart: vi.fn(),
    onCancel: vi.fn(),
    onHistory: vi.fn(),
    onSettings: vi.fn(),
    onDecide: vi.fn(),
  };
  await renderInApp(
    <ul>
      <SourceRow state={state} mayAct isStartPending={false} {...handlers} {...more} />
    </ul>,
  );
  await screen.findByRole('heading', { name: 'Debian' });
  return handlers;
}

describe('SourceRow', () => {
  it('shows lists with their numbers, the schedule and the next run', async () => {
    await show(debian());
    expect(screen.getByRole('link', { name: 'Debian patches 41,000' }).getAttribute('href')).toBe(
      '/patch-repository/debian-patch',
    );
    expect(screen.getByText('Daily at 03:15 UTC')).toBeTruthy();
    expect(screen.getByText('in 2 hours')).toBeTruthy();
    expect(screen.getByText('Never synced')).toBeTruthy();
  });

  it('starts a sync, and opens the settings and the history after a run', async () => {
    const { onStart, onHistory, onSettings } = await show(
      debian({ run: toRun('succeeded', { added: 1204, rejected: 4 }) }),
    );
    await person.click(screen.getByRole('button', { name: 'Sync Debian' }));
    await person.click(screen.getByRole('button', { name: 'History of Debian' }));
    await person.click(screen.getByRole('button', { name: 'Settings of Debian' }));
    expect(onStart).toHaveBeenCalledTimes(1);
    expect(onSettings).toHaveBeenCalledTimes(1);
    expect(onHistory).toHaveBeenCalledTimes(1);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(
      '+1,204 added',
    );
  });

  it('shows the progress of a running sync, and offers to cancel instead of to start', async () => {
    await show(
      debian({
        run: toRun('running', {
          stage: { code: 'writing', params: debian12 },
          done: 12,
          total: 48,
        }),
      }),
    );
    const bar = screen.getByRole('progressbar', { name: 'Sync of Debian' });
    expect(bar.getAttribute('aria-valuenow')).toBe('25');
    expect(bar.getAttribute('aria-valuetext')).toBe('Writing Debian 12 12 of 48');
    expect(screen.getByRole('button', { name: 'Cancel the sync of Debian' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sync Debian' })).toBeNull();
  });

  it('shows what failed and the last success', async () => {
    await show(
      debian({
        run: toRun('failed', { message: toMessage('It did not answer. Check the network.') }),
      }),
    );
    expect(screen.getByText('It did not answer. Check the network.')).toBeTruthy();
    expect(screen.getByText('30 hours ago')).toBeTruthy();
    expect(screen.getByText('Nothing changed')).toBeTruthy();
  });

  it('shows a run without changes as a success', async () => {
    await show(debian({ run: toRun('succeeded') }));
    expect(screen.getByText('Nothing new')).toBeTruthy();
  });

  it('shows a source without a feed without alarm, and offers no actions', async () => {
    await show(debian({ available: false, lastSuccessAt: null }));
    expect(screen.getByText(/cannot read this vendor's publication/)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('actions on a source', () => {
  it('lets a Standard user look but not act', async () => {
    await show(debian({ run: toRun('succeeded') }), { mayAct: false });
    expect(screen.queryByRole('button', { name: 'Sync Debian' })).toBeNull();
    expect(screen.getByRole('button', { name: 'History of Debian' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Settings of Debian' })).toBeNull();
  });

  it('links each count to its records', async () => {
    await show(debian({ run: toRun('succeeded', { id: 7, withdrawn: 3, rejected: 4 }) }));
    const address = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(address('3 withdrawn')).toBe('/?source=debian&run=7&show=changes&kind=withdrawn');
    expect(address('4 rejected')).toBe('/?source=debian&run=7&show=rejections');
  });

  it('shows that a source is disabled, and why no sync can start', async () => {
    await show(
      debian({
        enabled: false,
        nextRunAt: null,
        run: toRun('failed', { message: toMessage('It did not answer.') }),
      }),
    );
    expect(screen.getByText('Disabled')).toBeTruthy();
    expect(screen.queryByText('It did not answer.')).toBeNull();
    const sync = screen.getByRole<HTMLButtonElement>('button', { name: 'Sync Debian' });
    expect([sync.disabled, sync.title]).toEqual([true, 'Debian is disabled in its settings.']);
  });

  it('lets a run continue after its source was disabled', async () => {
    await show(debian({ enabled: false, run: toRun('running') }));
    expect(screen.getByText('Running')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Cancel the sync of Debian' })).toBeTruthy();
  });
});

describe('warnings of a run', () => {
  it('counts the warnings, and unfolds them', async () => {
    await show(
      debian({
        run: toRun('succeeded_with_warnings', {
          warnings: ['Part one: its signature was not verified', 'two', 'three'].map(toMessage),
        }),
      }),
    );
    const fold = screen.getByText('3 warnings').closest('details');
    expect(fold?.open).toBe(false);
    expect(fold?.textContent).toContain('Part one: its signature was not verified');
    expect(fold?.textContent).toContain('three');
  });
});

const missing = quarantineOf({
  examples: ['DSA-5001-1', 'DSA-5002-1'].map((name) => ({ name, losses: [] })),
});
const lost = quarantineOf({
  reason: 'content_lost',
  records: 145,
  known: 3788,
  losses: [
    { label: 'CVEs', records: 129 },
    { label: 'Priority', records: 16 },
  ],
  examples: [
    {
      name: 'DSA-5001-1',
      losses: [
        'CVEs: 3 of 4 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3)',
        'Priority: low instead of high',
      ],
    },
    { name: 'DSA-5002-1', losses: ['CVEs: 1 of 1 missing (CVE-2031-4)'] },
  ],
});
const withQuarantine = (...quarantine: readonly QuarantineEntry[]) =>
  debian({ run: toRun('succeeded_with_warnings'), quarantine: [...quarantine] });

describe('quarantine', () => {
  it('shows the missing records with examples', async () => {
    await show(withQuarantine(missing));
    expect(screen.getByText(/the vendor lists/).textContent).toBe(
      'Debian 12: the vendor lists 40 of 900 known records. 860 records stay until you decide.',
    );
    expect(screen.getByText('DSA-5002-1')).toBeTruthy();
  });

  it('shows how many records lose content, in which fields, with examples', async () => {
    await show(withQuarantine(lost));
    expect(screen.getByText(/has lost content/).textContent).toBe(
      'Debian 12: the publication has lost content. 145 records of 3,788 would change and stay as before until you decide.',
    );
    expect(screen.getByText('Affected: CVEs in 129 records, Priority in 16.')).toBeTruthy();
    expect(screen.getByText('DSA-5001-1').parentElement?.textContent).toBe(
      'DSA-5001-1CVEs: 3 of 4 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3)Priority: low instead of high',
    );
  });

  it('does not repeat the quarantine as a warning', async () => {
    const debian11 = { ...debian12List, part: '11', partLabel: 'Debian 11' };
    const fewer = { known: 900, listed: 40, smallerDocument: null };
    const losses = { first: [{ label: 'CVEs', records: 129 }], total: 1 };
    const changed = { records: 145, compared: 3788, losses };
    const toWarnings = (params: typeof debian12List): readonly RunMessage[] => [
      { code: 'withdrawals_held', params: { ...params, ...fewer } },
      { code: 'content_held', params: { ...params, ...changed } },
    ];
    const showWith = (warnings: readonly RunMessage[]) =>
      show({
        ...withQuarantine(missing, lost),
        run: toRun('succeeded_with_warnings', { warnings: [...warnings] }),
      });
    await showWith([...toWarnings(debian12List), ...toWarnings(debian11).slice(0, 1)]);
    expect(screen.queryByText(/^Debian 12: .*(lists only 40|are affected)/)).toBeNull();
    expect(screen.getByText(/^Debian 11: the vendor lists only 40 [^]*decide\.$/)).toBeTruthy();
  });

  it.each([
    ['missing records', missing, 'Withdraw 860 records', '860'],
    ['lost content', lost, 'Change 145 records', '145'],
  ])('accepts %s after their number was typed', async (_, entry, accept, number) => {
    const { onDecide } = await show(withQuarantine(entry));
    await person.click(screen.getByRole('button', { name: accept }));
    const dialog = within(await screen.findByRole('dialog', { name: `${accept} of Debian 12?` }));
    const acceptButton = dialog.getByRole<HTMLButtonElement>('button', { name: accept });
    expect(acceptButton.disabled).toBe(true);
    // The dialog focuses its safe answer after opening.
    const laterButton = dialog.getByRole('button', { name: 'Decide later' });
    await waitFor(() => expect(document.activeElement).toBe(laterButton));
    await fillIn(dialog.getByRole('textbox', { name: `Type ${number} to confirm` }), number);
    await person.click(acceptButton);
    await waitFor(() => expect(onDecide).toHaveBeenCalledExactlyOnceWith(entry, 'accept'));
  });

  it('accepts a few records with one click, and does nothing when the question is closed', async () => {
    const { onDecide } = await show(withQuarantine({ ...missing, known: 21, records: 20 }));
    await person.click(screen.getByRole('button', { name: 'Withdraw 20 records' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByRole('textbox')).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Decide later' }));
    await act(async () => undefined);
    expect(onDecide).not.toHaveBeenCalled();
  });

  it('keeps stored records without a question', async () => {
    const { onDecide } = await show(withQuarantine(lost));
    await person.click(screen.getByRole('button', { name: 'Keep stored records' }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith(lost, 'reject');
  });

  it('shows the quarantine to a Standard user without the answers', async () => {
    await show(withQuarantine(missing, { ...lost, records: 1 }), { mayAct: false });
    expect(screen.getByText(/860 records stay until an administrator decides/)).toBeTruthy();
    expect(
      screen.getByText(
        /1 record of 3,788 would change and stays as before until an administrator decides/,
      ),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Withdraw|Change|Keep/ })).toBeNull();
  });

  it('allows no decision while a sync runs', async () => {
    await show(debian({ run: toRun('running'), quarantine: [missing] }));
    for (const name of ['Keep stored records', 'Withdraw 860 records'])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
    expect(
      screen.getByText('A sync of Debian is already running, started by schedule.'),
    ).toBeTruthy();
  });
});
