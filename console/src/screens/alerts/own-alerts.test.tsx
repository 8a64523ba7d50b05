import {
  alertsEndpoint,
  endAlertEndpoint,
  type ViewAlert,
} from '@patch/contract/reports/alert-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentCalls } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { OwnAlerts } from './own-alerts.tsx';

const alert: ViewAlert = {
  view: { id: 7, name: 'Critical on servers', list: 'debian_patch' },
  mode: 'digest',
  hour: 7,
  timeZone: 'Europe/Istanbul',
  ownAddress: true,
  furtherAddresses: [],
  channels: [],
  exploited: true,
  epssAbove: 0.5,
  lookedAt: 1,
  problem: '',
};

const open = (objList: readonly ViewAlert[], mailConfigured = true) =>
  renderInApp(<OwnAlerts />, {
    session: { name: 'ann', email: 'ann@example.org', userType: 'Standard' },
    replies: [
      reply(alertsEndpoint, { objList: [...objList], totalCount: objList.length, mailConfigured }),
      reply(endAlertEndpoint, { message: 'removed' }),
    ],
  });

test('lists what each alert reports, when, and why no email was sent', async () => {
  await open(
    [
      alert,
      {
        ...alert,
        view: { id: 8, name: 'Kernel', list: 'almalinux_patch' },
        mode: 'at_once',
        exploited: false,
        epssAbove: null,
        problem: 'The mail server refused the address.',
      },
    ],
    false,
  );
  expect(
    (await screen.findByRole('link', { name: 'Critical on servers' })).getAttribute('href'),
  ).toBe('/patch-repository/debian-patch?view=7');
  const rows = within(await screen.findByRole('list', { name: 'Alerts' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining(
      'Debian patches · new records, records that become known exploited, EPSS over 50 % · daily at 07:00 (Europe/Istanbul)',
    ),
    expect.stringContaining(
      'AlmaLinux patches · new records · at onceThe mail server refused the address.',
    ),
  ]);
  expect(screen.getByText('No email is sent until the mail server is configured.')).toBeTruthy();
});

test('deletes an alert after confirmation', async () => {
  await open([alert]);
  await person.click(await screen.findByRole('button', { name: /Remove/ }));
  await person.click(await screen.findByRole('button', { name: 'Remove it' }));
  await waitFor(() =>
    expect(sentCalls().find(({ method }) => method === 'DELETE')?.path).toContain('/views/7/alert'),
  );
});

test('explains how to create the first alert', async () => {
  await open([]);
  expect(await screen.findByText(/No alerts yet/)).toBeTruthy();
});
