import type {
  SourceSettings,
  SourceSettingsReply,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import {
  saveSourceSettingsEndpoint,
  schedulePreviewEndpoint,
  sourceSettingsEndpoint,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import { useSearch } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { addReplies, bodiesSentTo, refusal, refuse, reply } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { type InApp, renderInApp } from '../../testing/render-in-app.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';

const standard: SourceSettings = {
  enabled: true,
  schedule: null,
  mirror: null,
  leftOut: [],
  added: [],
  shrinkageShare: 30,
};
const settingsReply = (settings: Partial<SourceSettings> = {}): SourceSettingsReply => ({
  settings: { ...standard, ...settings },
  standardSchedule: '35 */4 * * *',
  generalMirror: 'https://mirror.example/',
  parts: [
    { key: '8', label: 'AlmaLinux 8', added: false, readAt: null },
    { key: '9', label: 'AlmaLinux 9', added: false, readAt: Date.now() - 7_200_000 },
  ],
  addable: 'a major release, such as 11',
  changedAt: null,
  changedBy: null,
});

const first = Date.UTC(2026, 10, 22, 4, 35);
const saved = () => bodiesSentTo(saveSourceSettingsEndpoint);

beforeEach(() => {
  addReplies(
    reply(sourceSettingsEndpoint, settingsReply()),
    reply(saveSourceSettingsEndpoint, ({ body }) => settingsReply(body as Partial<SourceSettings>)),
    reply(schedulePreviewEndpoint, ({ query }) =>
      query['cron'] === 'often'
        ? refusal(422, { userMessage: 'The schedule needs five fields.' })
        : {
            words: `Words of ${query['cron']}`,
            next: [0, 4, 8, 12, 16].map((hours) => first + hours * 3_600_000),
          },
    ),
  );
});

let router: InApp['router'];

function Page() {
  const search: { settings?: unknown } = useSearch({ strict: false });
  return (
    <SettingsDrawer
      source={search.settings === 'almaLinux' ? 'almaLinux' : undefined}
      onClose={() => void router.navigate({ to: '/' })}
    />
  );
}

async function mount() {
  ({ router } = await renderInApp(<Page />, {
    session: {},
    before: ['/'],
    path: '/?settings=almaLinux',
  }));
}
async function open() {
  await mount();
  await screen.findByRole('switch', { name: 'Sync AlmaLinux' });
}

const isOpen = () => router.state.location.searchStr !== '';
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
async function save() {
  await waitFor(() => expect(saveButton().disabled).toBe(false));
  await person.click(saveButton());
}
const type = (label: string, value: string) => fillIn(screen.getByLabelText(label), value);
const press = (name: string) => person.click(screen.getByRole('button', { name }));

describe('settings of a source', () => {
  it('saves a change and closes', async () => {
    await open();
    expect(screen.getByText('These are the standard settings.')).toBeTruthy();
    expect(saveButton().disabled).toBe(true);
    expect(screen.queryByText('Unsaved changes')).toBeNull();
    await person.click(screen.getByRole('switch', { name: 'Sync AlmaLinux' }));
    expect(await screen.findByText('Unsaved changes')).toBeTruthy();
    await save();
    await waitFor(() => expect(isOpen()).toBe(false));
    expect(saved()).toEqual([{ enabled: false }]);
    expect(await screen.findByText('Settings of AlmaLinux saved.')).toBeTruthy();
  });

  it('shows who changed the settings last', async () => {
    addReplies(
      reply(sourceSettingsEndpoint, {
        ...settingsReply(),
        changedAt: Date.now() - 3_600_000 * 2,
        changedBy: 'operator',
      }),
    );
    await open();
    expect(screen.getByText(/^Last changed/).textContent).toBe(
      'Last changed 2 hours ago by operator',
    );
  });

  it('asks before changes are lost, however the user leaves', async () => {
    await open();
    await type('Mirror address', 'https://other.example/');
    await screen.findByText('Unsaved changes');
    await press('Cancel');
    await person.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(isOpen()).toBe(true);
    void router.navigate({ to: '/', search: { settings: 'debian' } as never });
    await person.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?settings=debian'));
    expect(saved()).toEqual([]);
  });

  it('shows that the settings cannot be loaded', async () => {
    addReplies(
      refuse(sourceSettingsEndpoint, 403, {
        userMessage: 'You may not see this.',
        requestId: 'r7',
      }),
    );
    await mount();
    expect(await screen.findByText('You may not see this.')).toBeTruthy();
  });
});

describe('schedule', () => {
  it('shows its meaning and next runs in the user’s time zone', async () => {
    await open();
    expect(await screen.findByText('Words of 35 */4 * * *')).toBeTruthy();
    const times = screen.getByRole('list', { name: 'Next runs, UTC' });
    expect(within(times).getAllByRole('listitem').length).toBe(5);
    expect(times.textContent).toContain('Sun, Nov 22, 2026 04:35 AM');
    expect(screen.getByText('Standard schedule')).toBeTruthy();
  });

  it('chooses a preset at the standard minute, and resets it', async () => {
    await open();
    await press('Daily');
    expect(screen.getByLabelText<HTMLInputElement>('Schedule').value).toBe('35 3 * * *');
    expect(await screen.findByText('Words of 35 3 * * *')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Daily' }).getAttribute('aria-pressed')).toBe('true');
    await save();
    await waitFor(() => expect(saved()).toEqual([{ schedule: '35 3 * * *' }]));
  });

  it("shows the server's refusal at the field and sends nothing", async () => {
    await open();
    await type('Schedule', 'often');
    expect(await screen.findByText('The schedule needs five fields.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('list', { name: /Next times/ })).toBeNull());
    await save();
    expect(await screen.findByText(/Form fields contain one or more errors/)).toBeTruthy();
    expect(saved()).toEqual([]);
  });
});

describe('parts', () => {
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

  it('follows and unfollows parts, all or one by one', async () => {
    await open();
    expect(screen.getByText('2 of 2 followed')).toBeTruthy();
    expect(screen.getByText('2 hours ago')).toBeTruthy();
    await person.click(box('AlmaLinux 8'));
    expect(await screen.findByText('1 of 2 followed')).toBeTruthy();
    await save();
    await waitFor(() => expect(saved()).toEqual([{ leftOut: ['8'] }]));
  });

  it('requires at least one part', async () => {
    await open();
    await press('Select none');
    expect(box('AlmaLinux 9').checked).toBe(false);
    expect(await screen.findByText(/Select at least one part/)).toBeTruthy();
    await press('Select all');
    await waitFor(() => expect(screen.queryByText(/Select at least one part/)).toBeNull());
  });

  it('adds a part by key once, without saving the form', async () => {
    await open();
    expect(screen.getByText('Allowed: a major release, such as 11.')).toBeTruthy();
    await type('Add a part', '9');
    expect(screen.getByText('9 is already listed.')).toBeTruthy();
    await type('Add a part', ' 11 ');
    await pressKey('Enter', screen.getByLabelText('Add a part'));
    expect(box('11').checked).toBe(true);
    expect(screen.getByText('added when saved')).toBeTruthy();
    expect(saved()).toEqual([]);
    await save();
    await waitFor(() => expect(saved()).toEqual([{ added: ['11'] }]));
  });

  it('removes an added part', async () => {
    const added = { key: '11', label: 'AlmaLinux 11', added: true, readAt: null };
    addReplies(
      reply(sourceSettingsEndpoint, {
        ...settingsReply({ added: ['11'] }),
        parts: [...settingsReply().parts, added],
      }),
    );
    await open();
    await press('Remove AlmaLinux 11');
    expect(screen.queryByRole('checkbox', { name: 'AlmaLinux 11' })).toBeNull();
    await save();
    await waitFor(() => expect(saved()).toEqual([{ added: [] }]));
  });
});

it('does not send an emptied share', async () => {
  await open();
  const share = screen.getByLabelText('Withdraw without approval up to');
  await fillIn(share, '');
  expect(await screen.findByText('The share is required')).toBeTruthy();
  await fillIn(share, '45');
  await person.tab();
  await save();
  await waitFor(() => expect(saved()).toEqual([{ shrinkageShare: 45 }]));
});
