import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { groupReportEndpoint } from '@patch/contract/reports/group-report-endpoint.ts';
import {
  changeReportMailEndpoint,
  createReportMailEndpoint,
  type ReportMail,
  removeReportMailEndpoint,
  reportMailsEndpoint,
} from '@patch/contract/reports/report-mail-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addReplies, bodiesSentTo, refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { ReportScreen } from './report-screen.tsx';

const mail: ReportMail = {
  id: 3,
  group: { id: 7, name: 'Web' },
  days: 30,
  day: 'friday',
  hour: 6,
  timeZone: 'Europe/Istanbul',
  addresses: ['manager@example.org', 'board@example.org'],
  nextAt: Date.UTC(2026, 11, 4, 3),
  sentAt: null,
  problem: 'No email is sent until the mail server is configured.',
};
const others: readonly ReportMail[] = [
  { ...mail, id: 4, group: { id: 8, name: 'Mail' }, addresses: ['other@example.org'] },
  { ...mail, id: 5, group: null, addresses: ['all@example.org'] },
];

const show = (userType: 'Admin' | 'Approver', mails: readonly ReportMail[]) =>
  renderInApp(<ReportScreen />, {
    route: '/report',
    path: '/report?group=Web&days=30',
    session: { userType },
    replies: [
      // The schedules can be seen while the report cannot be read.
      refuse(groupReportEndpoint, 422),
      reply(machineGroupsEndpoint, { objList: [], totalCount: 0 }),
      reply(reportMailsEndpoint, { objList: [...mails], totalCount: mails.length }),
    ],
  });
async function open(mails: readonly ReportMail[]) {
  await show('Admin', mails);
  await person.click(await screen.findByRole('button', { name: 'Send by email' }));
  return within(await screen.findByRole('dialog', { name: 'Report of Web by email' }));
}

test('is offered to administrators alone', async () => {
  await show('Approver', []);
  expect(await screen.findByRole('button', { name: 'Print' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send by email' })).toBeNull();
  expect(sentTo(reportMailsEndpoint)).toEqual([]);
});

test('shows when and to whom this report is sent, and why it is not', async () => {
  const dialog = await open([mail, ...others]);
  const [row, ...more] = await dialog.findAllByRole('listitem');
  expect(more).toEqual([]);
  for (const words of [
    'Each Friday at 06:00 (Europe/Istanbul)',
    'Last 30 days, to 2 addresses: manager@example.org, board@example.org',
    'Next Dec 4, 2026, 6:00',
    'No email is sent until the mail server is configured.',
  ])
    expect(row?.textContent).toContain(words);
});

test('sends a report that nobody gets yet to addresses, once they are valid', async () => {
  const dialog = await open(others);
  addReplies(reply(createReportMailEndpoint, mail));
  const submit = () => person.click(dialog.getByRole('button', { name: 'Send by email' }));
  const addresses = await dialog.findByRole('combobox', { name: 'Addresses' });
  await submit();
  expect(await dialog.findByText(/Addresses field is required/i)).toBeTruthy();
  await fillIn(addresses, 'nobody');
  await pressKey('Enter', addresses);
  expect(await dialog.findByText('Addresses field must be a valid email')).toBeTruthy();
  await fillIn(addresses, 'manager@example.org');
  await pressKey('Enter', addresses);
  await person.click(dialog.getByLabelText('When'));
  await person.click(await screen.findByTitle('On the first of each month'));
  await submit();
  await waitFor(() =>
    expect(bodiesSentTo(createReportMailEndpoint)).toEqual([
      {
        group: 'Web',
        days: 30,
        day: 'first_of_month',
        hour: 8,
        timeZone: 'UTC',
        addresses: ['manager@example.org'],
      },
    ]),
  );
});

test('changes a schedule and keeps what is not changed', async () => {
  const dialog = await open([mail]);
  addReplies(reply(changeReportMailEndpoint, mail));
  await person.click(await dialog.findByRole('button', { name: /^Edit/ }));
  await person.click(await dialog.findByLabelText('At'));
  await person.click(await screen.findByTitle('07:00'));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sentTo(changeReportMailEndpoint)).toMatchObject([{ path: '/machines/reportmails/3' }]),
  );
  const { id: _, nextAt: __, sentAt: ___, problem: ____, ...setting } = mail;
  expect(bodiesSentTo(changeReportMailEndpoint)).toEqual([{ ...setting, group: 'Web', hour: 7 }]);
});

test('removes a schedule after a question', async () => {
  const dialog = await open([mail]);
  addReplies(reply(removeReportMailEndpoint, {}));
  await person.click(await dialog.findByRole('button', { name: /^Remove/ }));
  expect(await screen.findByText('Send this report no more?')).toBeTruthy();
  expect(sentTo(removeReportMailEndpoint)).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Remove it' }));
  await waitFor(() =>
    expect(sentTo(removeReportMailEndpoint)).toMatchObject([{ path: '/machines/reportmails/3' }]),
  );
});
