import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import type { RunMessage } from '@patch/contract/run-message.ts';
import {
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

const missing: QuarantineEntry = {
  part: '12',
  partLabel: 'Debian 12',
  list: 'debian_patch',
  reason: 'records_missing',
  records: 860,
  known: 900,
  losses: [],
  examples: ['DSA-5001-1', 'DSA-5002-1'].map((name) => ({ name, losses: [] })),
  runId: 1,
  quarantinedAt: now - hour,
};
const lost: QuarantineEntry = {
  ...missing,
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
};
const withQuarantine = (...quarantine: readonly QuarantineEntry[]) =>
  debian({ run: runIn('succeeded_with_warnings'), quarantine: [...quarantine] });

describe('the quarantine', () => {
  it('says which records are missing, with examples', async () => {
    await show(withQuarantine(missing));
    expect(screen.getByText(/the vendor lists/).textContent).toBe(
      'Debian 12: the vendor lists 40 of 900 known records. 860 records stay until you decide.',
    );
    expect(screen.getByText('DSA-5002-1')).toBeTruthy();
  });

  it('says how many records lose content, where, and what some of them would lose', async () => {
    await show(withQuarantine(lost));
    expect(screen.getByText(/has lost content/).textContent).toBe(
      'Debian 12: the publication has lost content. 145 records of 3,788 would change and stay as before until you decide.',
    );
    expect(screen.getByText('Affected: CVEs in 129 records, Priority in 16.')).toBeTruthy();
    expect(screen.getByText('DSA-5001-1').parentElement?.textContent).toBe(
      'DSA-5001-1CVEs: 3 of 4 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3)Priority: low instead of high',
    );
  });

  it('is not repeated as a warning', async () => {
    const debian11 = { ...debian12List, part: '11', partLabel: 'Debian 11' };
    const fewer = { known: 900, listed: 40, smallerDocument: null };
    const losses = { first: [{ label: 'CVEs', records: 129 }], total: 1 };
    const changed = { records: 145, compared: 3788, losses };
    const warningsOf = (params: typeof debian12List): readonly RunMessage[] => [
      { code: 'withdrawals_held', params: { ...params, ...fewer } },
      { code: 'content_held', params: { ...params, ...changed } },
    ];
    const showWith = (warnings: readonly RunMessage[]) =>
      show({
        ...withQuarantine(missing, lost),
        run: runIn('succeeded_with_warnings', { warnings: [...warnings] }),
      });
    await showWith([...warningsOf(debian12List), ...warningsOf(debian11).slice(0, 1)]);
    expect(screen.queryByText(/^Debian 12: .*(lists only 40|are affected)/)).toBeNull();
    expect(screen.getByText(/^Debian 11: the vendor lists only 40 [^]*decide\.$/)).toBeTruthy();
  });

  it.each([
    ['missing records', missing, 'Withdraw 860 records', '860'],
    ['lost content', lost, 'Change 145 records', '145'],
  ])('accepts %s once their number is typed', async (_, entry, accept, number) => {
    const { onDecide } = await show(withQuarantine(entry));
    await person.click(screen.getByRole('button', { name: accept }));
    const dialog = within(await screen.findByRole('dialog', { name: `${accept} of Debian 12?` }));
    const yes = dialog.getByRole<HTMLButtonElement>('button', { name: accept });
    expect(yes.disabled).toBe(true);
    // The dialog moves the focus to its safe answer once it is open.
    const safe = dialog.getByRole('button', { name: 'Decide later' });
    await waitFor(() => expect(document.activeElement).toBe(safe));
    await fillIn(dialog.getByRole('textbox', { name: `Type ${number} to confirm` }), number);
    await person.click(yes);
    await waitFor(() => expect(onDecide).toHaveBeenCalledExactlyOnceWith(entry, 'accept'));
  });

  it('accepts a few records by a yes alone, and does nothing when the question is closed', async () => {
    const { onDecide } = await show(withQuarantine({ ...missing, known: 21, records: 20 }));
    await person.click(screen.getByRole('button', { name: 'Withdraw 20 records' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByRole('textbox')).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Decide later' }));
    await act(async () => undefined);
    expect(onDecide).not.toHaveBeenCalled();
  });

  it.each([
    ['missing records', missing],
    ['lost content', lost],
  ])('rejects %s without a question', async (_, entry) => {
    const { onDecide } = await show(withQuarantine(entry));
    await person.click(screen.getByRole('button', { name: 'Keep what is stored' }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith(entry, 'reject');
  });

  it('is shown to a Standard user, who does not decide', async () => {
    await show(withQuarantine(missing, { ...lost, records: 1 }), { mayAct: false });
    expect(screen.getByText(/860 records stay until an administrator decides/)).toBeTruthy();
    expect(
      screen.getByText(
        /1 record of 3,788 would change and stays as before until an administrator decides/,
      ),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Withdraw|Change|Keep/ })).toBeNull();
  });

  it('cannot be decided while a sync runs', async () => {
    await show(debian({ run: runIn('running'), quarantine: [missing] }));
    for (const name of ['Keep what is stored', 'Withdraw 860 records'])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
    expect(
      screen.getByText('A sync of Debian is already running, started by schedule.'),
    ).toBeTruthy();
  });
});
