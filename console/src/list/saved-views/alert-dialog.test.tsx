import { getList } from '@patch/catalogue/lists.ts';
import { type Channel, channelsEndpoint } from '@patch/contract/operations/channel-endpoints.ts';
import { savedViewsEndpoint } from '@patch/contract/records/saved-view-endpoints.ts';
import type { ViewAlert } from '@patch/contract/reports/alert-endpoints.ts';
import {
  alertsEndpoint,
  endAlertEndpoint,
  previewAlertEndpoint,
  setAlertEndpoint,
} from '@patch/contract/reports/alert-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { bodiesSentTo, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildView } from '../../testing/service-values.ts';
import { signInAs } from '../../testing/sign-in-as.ts';
import { SavedViewsMenu } from './saved-views-menu.tsx';
// Loaded before the tests, which wait for it when it is opened.
import './alert-dialog.tsx';

const alma = getList('almalinux_patch');
const search = { criteria: 'severity.in.Critical', keyword: '', sort: null, columns: null };
const view = buildView();
const alert: ViewAlert = {
  view: { id: 4, name: view.name, list: alma.key },
  mode: 'digest',
  hour: 6,
  timeZone: 'UTC',
  ownAddress: true,
  furtherAddresses: ['team@example.org'],
  channels: [],
  exploited: false,
  epssAbove: null,
  lookedAt: 1,
  problem: 'The email to team@example.org could not be sent: No such mailbox',
};
const channel = (id: number, name: string, enabled = true): Channel => ({
  id,
  kind: 'teams',
  name,
  address: 'https://teams.example.org/…',
  types: [],
  enabled,
  problem: '',
  failingSince: null,
  deliveredAt: null,
  formerSecretUntil: null,
});
const noDays = { days: [], total: 0, updates: 0 };
const someDays = {
  days: [
    {
      at: Date.UTC(2026, 10, 20, 8),
      total: 5,
      updates: 3,
      records: [{ id: 1, name: 'ALSA-2026:1', about: 'Severity: Critical' }],
    },
    { at: Date.UTC(2026, 10, 19, 8), total: 0, updates: 0, records: [] },
    {
      at: Date.UTC(2026, 10, 18, 8),
      total: 1,
      updates: 1,
      records: [{ id: 2, name: 'ALSA-2026:2', about: '' }],
    },
  ],
  total: 6,
  updates: 4,
};

const signIn = (userType: 'Admin' | 'Standard') =>
  signInAs({ name: 'stan', email: 'stan@example.org', userType });
beforeEach(() => void signIn('Standard'));

async function open(
  alerts: readonly ViewAlert[] = [],
  {
    preview = noDays,
    mailConfigured = true,
    channels = [],
  }: {
    preview?: z.output<typeof previewAlertEndpoint.reply>;
    mailConfigured?: boolean;
    channels?: readonly Channel[];
  } = {},
) {
  await renderInApp(
    <SavedViewsMenu list={alma} shown={search} openView={undefined} onOpen={() => undefined} />,
    {
      replies: [
        reply(savedViewsEndpoint, { objList: [view], totalCount: 1 }),
        reply(alertsEndpoint, { objList: [...alerts], totalCount: alerts.length, mailConfigured }),
        reply(previewAlertEndpoint, preview),
        reply(channelsEndpoint, { objList: [...channels], totalCount: channels.length }),
        reply(setAlertEndpoint, { ...alert, problem: '' }),
        reply(endAlertEndpoint, { message: "The alert of the view 'Critical ones' has ended." }),
      ],
    },
  );
  await person.click(await screen.findByRole('button', { name: 'Views' }));
  const bell = await screen.findByRole('button', { name: "Alert for 'Critical ones'" });
  await waitFor(() => expect(bell.getAttribute('aria-pressed')).toBe(String(alerts.length > 0)));
  await person.click(bell);
  const dialog = within(
    await screen.findByRole('dialog', { name: "Alert for 'Critical ones'" }, { timeout: 10_000 }),
  );
  return dialog;
}
const set = () => bodiesSentTo(setAlertEndpoint);
const daily = {
  mode: 'digest',
  hour: 8,
  ownAddress: true,
  furtherAddresses: [],
  channels: [],
  timeZone: 'UTC',
  exploited: false,
  epssAbove: null,
};

describe('the alert of a saved view', () => {
  test('is set with the defaults: once a day, to the own address', async () => {
    const dialog = await open();
    expect(dialog.getByText('To my address, stan@example.org')).toBeTruthy();
    expect(dialog.queryByLabelText('CC')).toBeNull();
    await person.click(dialog.getByRole('button', { name: 'Set alert' }));
    expect(
      await screen.findByText("The alert of the view 'Critical ones' has been set."),
    ).toBeTruthy();
    expect(set()).toEqual([daily]);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Alert/ })).toBeNull());
  });

  test('reports risk changes with a threshold for EPSS', async () => {
    const dialog = await open();
    const threshold = dialog.getByLabelText('EPSS threshold');
    expect(threshold.closest('[hidden]')).not.toBeNull();
    await person.click(dialog.getByLabelText('Also when existing records become known exploited'));
    await person.click(dialog.getByLabelText(/^Also when EPSS of existing records rises/));
    await waitFor(() => expect(threshold.closest('[hidden]')).toBeNull());
    await person.click(dialog.getByRole('button', { name: 'Set alert' }));
    await waitFor(() => expect(set()).toMatchObject([{ exploited: true, epssAbove: 0.5 }]));
  });

  test('has no hour when it is immediate, and requires an address', async () => {
    const dialog = await open();
    expect(dialog.getByText(/^UTC time/)).toBeTruthy();
    await person.click(dialog.getByLabelText('Immediately after each sync'));
    await waitFor(() => expect(dialog.getByText(/^UTC time/).closest('[hidden]')).not.toBeNull());
    await person.click(dialog.getByLabelText('To my address, stan@example.org'));
    await person.click(dialog.getByRole('button', { name: 'Set alert' }));
    expect(await dialog.findByText('An alert needs at least one address')).toBeTruthy();
    expect(set()).toEqual([]);
    await person.click(dialog.getByLabelText('To my address, stan@example.org'));
    await person.click(dialog.getByRole('button', { name: 'Set alert' }));
    await waitFor(() => expect(set()).toMatchObject([{ mode: 'at_once' }]));
  });

  test('accepts further valid addresses from an administrator', async () => {
    signIn('Admin');
    const dialog = await open([alert]);
    expect(
      dialog.getByText('The email to team@example.org could not be sent: No such mailbox'),
    ).toBeTruthy();
    const typed = dialog.getByRole('combobox', { name: 'CC' });
    await fillIn(typed, 'nobody');
    await pressKey('Enter', typed);
    expect(await dialog.findByText('CC field must be a valid email')).toBeTruthy();
    await fillIn(typed, 'boss@example.org');
    await pressKey('Enter', typed);
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(set()).toEqual([
        { ...daily, hour: 6, furtherAddresses: ['team@example.org', 'boss@example.org'] },
      ]),
    );
  });

  test('is sent by an administrator to channels instead of an address', async () => {
    signIn('Admin');
    const channels = [channel(7, 'Patch team'), channel(9, 'Old chat', false)];
    const dialog = await open([], { channels });
    await person.click(dialog.getByLabelText('To my address, stan@example.org'));
    await person.click(dialog.getByRole('button', { name: 'Set alert' }));
    expect(await dialog.findByText('An alert needs at least one address or channel')).toBeTruthy();
    const chosen = dialog.getByRole<HTMLInputElement>('combobox', { name: 'Channels' });
    await waitFor(() => expect(chosen.disabled).toBe(false));
    await person.click(chosen);
    expect(await screen.findByTitle('Old chat (off)')).toBeTruthy();
    await person.click(screen.getByTitle('Patch team'));
    await person.click(dialog.getByRole('button', { name: 'Set alert' }));
    await waitFor(() => expect(set()).toMatchObject([{ ownAddress: false, channels: [7] }]));
  });

  test('says where channels are added when there are none', async () => {
    signIn('Admin');
    const dialog = await open();
    expect(await dialog.findByText(/^No channels yet. Add Teams/)).toBeTruthy();
  });

  test('is removed', async () => {
    const dialog = await open([alert]);
    await person.click(dialog.getByRole('button', { name: 'Remove alert' }));
    expect(
      await screen.findByText("The alert of the view 'Critical ones' has ended."),
    ).toBeTruthy();
    expect(sentTo(endAlertEndpoint)).toMatchObject([{ path: '/views/4/alert' }]);
  });

  test('shows a preview of the last 30 days and refetches it for another mode', async () => {
    const dialog = await open([], { preview: someDays });
    expect(
      await dialog.findByText(
        'In the last 30 days this alert would have reported 4 updates in 6 records in 2 emails:',
      ),
    ).toBeTruthy();
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Nov 20, 20263ALSA-2026:1 …',
      'Nov 18, 20261ALSA-2026:2',
    ]);
    await person.click(dialog.getByLabelText('Immediately after each sync'));
    expect(
      await dialog.findByText(
        'In the last 30 days this alert would have reported 4 updates in 6 records on 2 days:',
      ),
    ).toBeTruthy();
    const asked = {
      list: alma.key,
      search: { criteria: search.criteria, keyword: '' },
      timeZone: 'UTC',
    };
    expect(bodiesSentTo(previewAlertEndpoint)).toEqual([
      { ...asked, mode: 'digest', hour: 8 },
      { ...asked, mode: 'at_once', hour: 0 },
    ]);
  });

  test('says when the preview is empty and when no mail server is configured', async () => {
    const dialog = await open([], { mailConfigured: false });
    expect(
      await dialog.findByText('This alert would not have fired in the last 30 days.'),
    ).toBeTruthy();
    expect(
      dialog.getByText('No email is sent until an administrator configures the mail server.'),
    ).toBeTruthy();
  });
});
