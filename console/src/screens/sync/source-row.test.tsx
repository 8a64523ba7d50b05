import type { RunMessage } from '@patch/contract/run-message.ts';
import {
  type HeldContent,
  type HeldWithdrawal,
  type Run,
  type RunState,
  runStates,
  type SourceState,
} from '@patch/contract/sync-endpoints.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { stateLooks } from '../../runs/run-text.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { SourceRow, type SourceRowProps } from './source-row.tsx';

const now = Date.now();
const hour = 3_600_000;

const debian12 = { part: '12', partLabel: 'Debian 12' };
const debian12List = { ...debian12, list: 'debian_patch', listLabel: 'Debian patches' };
const saying = (text: string): RunMessage => ({ code: 'text', params: { text } });

const runIn = (state: RunState, more: Partial<Run> = {}): Run => ({
  id: 1,
  source: 'debian',
  state,
  startedBy: 'schedule',
  queuedAt: now - hour,
  startedAt: now - hour,
  endedAt: state === 'queued' || state === 'running' ? null : now - hour + 125_000,
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
  const asked = {
    onStart: vi.fn(),
    onCancel: vi.fn(),
    onHistory: vi.fn(),
    onSettings: vi.fn(),
    onDecide: vi.fn(),
    onDecideContent: vi.fn(),
  };
  await renderInApp(
    <ul>
      <SourceRow state={state} mayAct asked={false} {...asked} {...more} />
    </ul>,
  );
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
    expect(screen.getByRole('link', { name: 'Debian patches 41,000' }).getAttribute('href')).toBe(
      '/patch-repository/debian-patch',
    );
    expect(screen.getByText('Daily at 03:15 UTC')).toBeTruthy();
    expect(screen.getByText('in 2 hours')).toBeTruthy();
    expect(screen.getByText('Never synced')).toBeTruthy();
  });

  it('starts a sync, and shows the history of one that has run', async () => {
    const { onStart, onHistory } = await show(
      debian({ run: runIn('succeeded', { added: 1204, rejected: 4 }) }),
    );
    await person.click(screen.getByRole('button', { name: 'Sync Debian' }));
    await person.click(screen.getByRole('button', { name: 'History of Debian' }));
    expect(onStart).toHaveBeenCalledTimes(1);
    expect(onHistory).toHaveBeenCalledTimes(1);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(
      '+1,204 added',
    );
  });

  it('shows how far a running one is, and offers to cancel in place of to start', async () => {
    await show(
      debian({
        run: runIn('running', {
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

  it('says what failed and when it last went well', async () => {
    await show(
      debian({
        run: runIn('failed', { message: saying('It did not answer. Check the network.') }),
      }),
    );
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
});

describe('what can be done with a source', () => {
  it('lets a Standard user look, not act', async () => {
    await show(debian({ run: runIn('succeeded') }), { mayAct: false });
    expect(screen.queryByRole('button', { name: 'Sync Debian' })).toBeNull();
    expect(screen.getByRole('button', { name: 'History of Debian' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Settings of Debian' })).toBeNull();
  });

  it('leads from each count to the records', async () => {
    await show(debian({ run: runIn('succeeded', { id: 7, withdrawn: 3, rejected: 4 }) }));
    const address = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(address('3 withdrawn')).toBe('/?source=debian&run=7&show=changes&kind=withdrawn');
    expect(address('4 rejected')).toBe('/?source=debian&run=7&show=rejections');
  });

  it('shows a disabled source as such, and says why no sync can be started', async () => {
    await show(
      debian({
        enabled: false,
        nextRunAt: null,
        run: runIn('failed', { message: saying('It did not answer.') }),
      }),
    );
    expect(screen.getByText('Disabled')).toBeTruthy();
    expect(screen.queryByText('It did not answer.')).toBeNull();
    const sync = screen.getByRole<HTMLButtonElement>('button', { name: 'Sync Debian' });
    expect([sync.disabled, sync.title]).toEqual([true, 'Debian is disabled in its settings.']);
  });

  it('lets a run go on that was under way when the source was disabled', async () => {
    await show(debian({ enabled: false, run: runIn('running') }));
    expect(screen.getByText('Running')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Cancel the sync of Debian' })).toBeTruthy();
  });

  it('opens the settings', async () => {
    const { onSettings } = await show(debian());
    await person.click(screen.getByRole('button', { name: 'Settings of Debian' }));
    expect(onSettings).toHaveBeenCalledTimes(1);
  });
});

const withdrawal: HeldWithdrawal = {
  part: '12',
  partLabel: 'Debian 12',
  list: 'debian_patch',
  known: 900,
  missing: 860,
  examples: ['DSA-5001-1', 'DSA-5002-1'],
  runId: 1,
  heldAt: now - hour,
};
const withHeldWithdrawal = (more: Partial<HeldWithdrawal> = {}) =>
  debian({ run: runIn('succeeded_with_warnings'), held: [{ ...withdrawal, ...more }] });

describe('withdrawals that are held', () => {
  it('say what is missing, with examples', async () => {
    await show(withHeldWithdrawal());
    expect(screen.getByText(/the vendor lists/).textContent).toBe(
      'Debian 12: the vendor lists 40 of 900 known records. 860 are waiting for your approval.',
    );
    expect(screen.getByText('DSA-5002-1')).toBeTruthy();
  });

  it('are not told twice', async () => {
    const params = { ...debian12List, known: 900, listed: 40, smallerDocument: null };
    const warnings = [
      { code: 'withdrawals_held', params } as const,
      {
        code: 'withdrawals_held',
        params: { ...params, part: '11', partLabel: 'Debian 11' },
      } as const,
    ];
    await show({ ...withHeldWithdrawal(), run: runIn('succeeded_with_warnings', { warnings }) });
    expect(screen.queryByText(/^Debian 12: .*lists only 40/)).toBeNull();
    expect(screen.getByText(/^Debian 11: the vendor lists only 40/)).toBeTruthy();
  });

  it('are withdrawn once their number is typed', async () => {
    const { onDecide } = await show(withHeldWithdrawal());
    await person.click(screen.getByRole('button', { name: 'Withdraw 860 records' }));
    const dialog = within(
      await screen.findByRole('dialog', { name: /Withdraw 860 records of Debian 12\?/ }),
    );
    const yes = dialog.getByRole<HTMLButtonElement>('button', { name: 'Withdraw 860 records' });
    expect(yes.disabled).toBe(true);
    // The dialog moves the focus to its safe answer once it is open.
    const safe = dialog.getByRole('button', { name: 'Do not withdraw' });
    await waitFor(() => expect(document.activeElement).toBe(safe));
    await fillIn(dialog.getByRole('textbox', { name: 'Type 860 to confirm' }), '860');
    await person.click(yes);
    await waitFor(() => expect(onDecide).toHaveBeenCalledExactlyOnceWith(withdrawal, 'withdraw'));
  });

  it('are withdrawn by a yes alone when they are few, and not by a no', async () => {
    const { onDecide } = await show(withHeldWithdrawal({ known: 21, missing: 20 }));
    await person.click(screen.getByRole('button', { name: 'Withdraw 20 records' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByRole('textbox')).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Do not withdraw' }));
    await act(async () => undefined);
    expect(onDecide).not.toHaveBeenCalled();
  });

  it('are kept without a question', async () => {
    const { onDecide } = await show(withHeldWithdrawal());
    await person.click(screen.getByRole('button', { name: 'Keep them' }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith(withdrawal, 'keep');
  });

  it('are told to a Standard user, who does not decide', async () => {
    await show(withHeldWithdrawal(), { mayAct: false });
    expect(screen.getByText(/860 are waiting for an administrator’s approval/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Withdraw|Keep/ })).toBeNull();
  });

  it('cannot be decided while a sync runs', async () => {
    await show(debian({ run: runIn('running'), held: [withdrawal] }));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Keep them' }).disabled).toBe(
      true,
    );
    expect(
      screen.getByText('A sync of Debian is already running, started by schedule.'),
    ).toBeTruthy();
  });
});

describe('the warnings of a run', () => {
  it('ends the sentence of a warning before it counts the others', async () => {
    await show(
      debian({
        run: runIn('succeeded_with_warnings', {
          warnings: ['Part one: its signature was not verified', 'two', 'three'].map(saying),
        }),
      }),
    );
    expect(
      screen.getByText('Part one: its signature was not verified. And 2 more in the history.'),
    ).toBeTruthy();
  });
});

const heldContent: HeldContent = {
  part: '12',
  partLabel: 'Debian 12',
  list: 'debian_patch',
  records: 145,
  compared: 3788,
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
  runId: 1,
  heldAt: now - hour,
};
const withHeldContent = (more: Partial<HeldContent> = {}) =>
  debian({ run: runIn('succeeded_with_warnings'), heldContent: [{ ...heldContent, ...more }] });

describe('content that is held', () => {
  it('says how many records are affected, where, and what some of them would lose', async () => {
    await show(withHeldContent());
    expect(screen.getByText(/has lost content/).textContent).toBe(
      'Debian 12: the publication has lost content. 145 records of 3,788 would change and stay as before until you decide.',
    );
    expect(screen.getByText('Affected: CVEs in 129 records, Priority in 16.')).toBeTruthy();
    expect(screen.getByText('DSA-5001-1').parentElement?.textContent).toBe(
      'DSA-5001-1CVEs: 3 of 4 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3)Priority: low instead of high',
    );
  });

  it('is not repeated as a warning', async () => {
    const params = {
      ...debian12List,
      records: 145,
      compared: 3788,
      losses: { first: [{ label: 'CVEs', records: 129 }], total: 1 },
    };
    const warnings = [
      { code: 'content_held', params } as const,
      { code: 'content_held', params: { ...params, part: '11', partLabel: 'Debian 11' } } as const,
    ];
    await show({ ...withHeldContent(), run: runIn('succeeded_with_warnings', { warnings }) });
    expect(screen.queryByText(/^Debian 12: .*are affected/)).toBeNull();
    expect(screen.getByText(/^Debian 11: the publication has lost content/)).toBeTruthy();
  });

  it('is accepted once the number of records is typed', async () => {
    const { onDecideContent } = await show(withHeldContent());
    await person.click(screen.getByRole('button', { name: 'Accept the changes' }));
    const dialog = within(
      await screen.findByRole('dialog', { name: /Change 145 records of Debian 12\?/ }),
    );
    await fillIn(dialog.getByRole('textbox', { name: 'Type 145 to confirm' }), '145');
    await person.click(dialog.getByRole('button', { name: 'Change 145 records' }));
    await waitFor(() =>
      expect(onDecideContent).toHaveBeenCalledExactlyOnceWith(heldContent, 'accept'),
    );
  });

  it('is kept without a question', async () => {
    const { onDecideContent, onDecide } = await show(withHeldContent());
    await person.click(screen.getByRole('button', { name: 'Keep what is stored' }));
    expect(onDecideContent).toHaveBeenCalledExactlyOnceWith(heldContent, 'keep');
    expect(onDecide).not.toHaveBeenCalled();
  });

  it('is shown to a Standard user, who does not decide', async () => {
    await show(withHeldContent({ records: 1 }), { mayAct: false });
    expect(
      screen.getByText(
        /1 record of 3,788 would change and stays as before until an administrator decides/,
      ),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Accept|Keep/ })).toBeNull();
  });

  it('cannot be decided while a sync runs', async () => {
    await show(debian({ run: runIn('running'), heldContent: [heldContent] }));
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: 'Accept the changes' }).disabled,
    ).toBe(true);
  });
});
