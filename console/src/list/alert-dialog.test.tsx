import { listOfKey } from '@patch/catalogue/lists.ts';
import type { ViewAlert } from '@patch/contract/alert-endpoints.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { signIn } from '../api/session.ts';
import { renderInRouter } from '../testing/render-in-router.tsx';
import { ToastHost } from '../widgets/toast-host.tsx';
import { SavedViewsMenu } from './saved-views-menu.tsx';

const alma = listOfKey('almalinux_patch');
const search = { criteria: 'severity.in.Critical', keyword: '', sort: null, columns: null };
const view = {
  id: 4,
  list: alma.key,
  name: 'Critical ones',
  shared: false,
  ownerName: 'stan',
  mayChange: true,
  isDefault: false,
  search,
  updatedAt: 1,
};
const alert: ViewAlert = {
  view: { id: 4, name: view.name, list: alma.key },
  mode: 'digest',
  hour: 6,
  timeZone: 'UTC',
  ownAddress: true,
  furtherAddresses: ['team@example.org'],
  lookedAt: 1,
  problem: 'The mail to team@example.org could not be sent: No such mailbox',
};
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

function person(userType: 'Admin' | 'Standard'): void {
  signIn('token', {
    id: 1,
    name: 'stan',
    email: 'stan@example.org',
    userType,
    timezone: 'UTC',
    mustChangePassword: false,
  });
}
beforeEach(() => person('Standard'));

async function open(
  alerts: readonly ViewAlert[] = [],
  { preview = noDays, mailConfigured = true }: { preview?: object; mailConfigured?: boolean } = {},
) {
  const rendered = await renderInRouter(
    <>
      <ToastHost />
      <SavedViewsMenu list={alma} shown={search} openView={undefined} onOpen={() => undefined} />
    </>,
    {
      '/views': { objList: [view], totalCount: 1 },
      '/alerts': { objList: alerts, totalCount: alerts.length, mailConfigured },
      '/alerts/preview': preview,
      '/views/4/alert': {
        ...alert,
        problem: '',
        message: "The alert of the view 'Critical ones' has ended.",
      },
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Views' }));
  const bell = await screen.findByRole('button', { name: "Alert for 'Critical ones'" });
  await waitFor(() => expect(bell.getAttribute('aria-pressed')).toBe(String(alerts.length > 0)));
  fireEvent.click(bell);
  const dialog = within(
    await screen.findByRole('dialog', { name: "Alert for 'Critical ones'" }, { timeout: 10_000 }),
  );
  return { ...rendered, dialog };
}
const sent = (asked: readonly { method: string; path: string; body: unknown }[], method: string) =>
  asked
    .filter((call) => call.method === method && call.path === '/views/4/alert')
    .map(({ body }) => body);

describe('the alert of a saved view', () => {
  test('is set: once a day to the own address, as it is offered', async () => {
    const { dialog, asked } = await open();
    expect(dialog.getByText('To my address, stan@example.org')).toBeTruthy();
    expect(dialog.queryByLabelText('CC')).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Set alert' }));
    expect(
      await screen.findByText("The alert of the view 'Critical ones' has been set."),
    ).toBeTruthy();
    expect(sent(asked, 'PUT')).toEqual([
      { mode: 'digest', hour: 8, ownAddress: true, furtherAddresses: [], timeZone: 'UTC' },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Alert/ })).toBeNull());
  });

  test('at once has no hour, and needs an address', async () => {
    const { dialog, asked } = await open();
    expect(dialog.getByText(/^UTC time/)).toBeTruthy();
    fireEvent.click(dialog.getByLabelText('Immediately after each sync'));
    await waitFor(() => expect(dialog.getByText(/^UTC time/).closest('[hidden]')).not.toBeNull());
    fireEvent.click(dialog.getByLabelText('To my address, stan@example.org'));
    fireEvent.click(dialog.getByRole('button', { name: 'Set alert' }));
    expect(await dialog.findByText('An alert needs at least one address')).toBeTruthy();
    expect(sent(asked, 'PUT')).toEqual([]);
    fireEvent.click(dialog.getByLabelText('To my address, stan@example.org'));
    fireEvent.click(dialog.getByRole('button', { name: 'Set alert' }));
    await waitFor(() => expect(sent(asked, 'PUT')).toMatchObject([{ mode: 'at_once' }]));
  });

  test('of an administrator goes to further addresses too, each a valid one', async () => {
    person('Admin');
    const { dialog, asked } = await open([alert]);
    expect(
      dialog.getByText('The mail to team@example.org could not be sent: No such mailbox'),
    ).toBeTruthy();
    const typed = dialog.getByRole('combobox', { name: 'CC' });
    fireEvent.change(typed, { target: { value: 'nobody' } });
    fireEvent.keyDown(typed, { key: 'Enter' });
    expect(await dialog.findByText('CC field must be a valid email')).toBeTruthy();
    fireEvent.change(typed, { target: { value: 'boss@example.org' } });
    fireEvent.keyDown(typed, { key: 'Enter' });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent(asked, 'PUT')).toEqual([
        {
          mode: 'digest',
          hour: 6,
          ownAddress: true,
          furtherAddresses: ['team@example.org', 'boss@example.org'],
          timeZone: 'UTC',
        },
      ]),
    );
  });

  test('is ended', async () => {
    const { dialog, asked } = await open([alert]);
    fireEvent.click(dialog.getByRole('button', { name: 'Delete alert' }));
    expect(
      await screen.findByText("The alert of the view 'Critical ones' has ended."),
    ).toBeTruthy();
    expect(sent(asked, 'DELETE')).toHaveLength(1);
  });

  test('previews the last 30 days, and fetches again for another time', async () => {
    const { dialog, asked } = await open([], { preview: someDays });
    expect(
      await dialog.findByText(
        'In the last 30 days this alert would have reported 4 updates in 6 records in 2 emails:',
      ),
    ).toBeTruthy();
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Nov 20, 20263ALSA-2026:1 …',
      'Nov 18, 20261ALSA-2026:2',
    ]);
    fireEvent.click(dialog.getByLabelText('Immediately after each sync'));
    expect(
      await dialog.findByText(
        'In the last 30 days this alert would have reported 4 updates in 6 records on 2 days:',
      ),
    ).toBeTruthy();
    expect(asked.filter(({ path }) => path === '/alerts/preview').map(({ body }) => body)).toEqual([
      {
        list: alma.key,
        search: { criteria: search.criteria, keyword: '' },
        mode: 'digest',
        hour: 8,
        timeZone: 'UTC',
      },
      {
        list: alma.key,
        search: { criteria: search.criteria, keyword: '' },
        mode: 'at_once',
        hour: 0,
        timeZone: 'UTC',
      },
    ]);
  });

  test('says when it would tell nothing, and when no mail can be sent', async () => {
    const { dialog } = await open([], { mailConfigured: false });
    expect(
      await dialog.findByText('This alert would not have fired in the last 30 days.'),
    ).toBeTruthy();
    expect(
      dialog.getByText('No email is sent until an administrator configures the mail server.'),
    ).toBeTruthy();
  });
});
