import type { AuditRecord } from '@patch/contract/operations/audit-endpoints.ts';
import {
  auditActionsEndpoint,
  auditEndpoint,
  exportAuditEndpoint,
  verifyAuditEndpoint,
} from '@patch/contract/operations/audit-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { addReplies, bodiesSentTo, refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { AuditScreen } from './audit-screen.tsx';
import { auditSearchSchema } from './audit-search.ts';

const entry: AuditRecord = {
  id: 7,
  time: Date.UTC(2026, 10, 20, 8, 5, 6),
  userId: 1,
  userName: 'Operator',
  keyName: null,
  clientId: null,
  clientName: null,
  action: 'save_email_config',
  summary: 'Set how mail is sent',
  subject: 'e-mail configuration',
  before: { port: 25, server: 'smtp.example.org' },
  after: { port: 587, server: 'smtp.example.org', password: '•••' },
  parameters: null,
  address: '198.51.100.7',
  requestId: 'abc123',
  outcome: 'done',
  code: '',
  hash: 'f'.repeat(64),
};
const refused: AuditRecord = {
  ...entry,
  id: 6,
  userId: null,
  userName: null,
  action: 'authenticate',
  summary: 'Sign in',
  subject: 'user Stan',
  before: null,
  after: null,
  outcome: 'refused',
  code: 'wrong_credentials',
};
const verified = {
  intact: true,
  checked: 7,
  otherKey: 0,
  anchored: 7,
  firstBroken: null,
  firstId: 1,
  lastId: 7,
  lastHash: 'f'.repeat(64),
  verifiedAt: 1,
};

beforeEach(() =>
  addReplies(
    reply(auditEndpoint, { objList: [entry, refused], next: null, totalCount: 2 }),
    reply(auditActionsEndpoint, { objList: [{ action: 'authenticate', summary: 'Sign in' }] }),
    reply(verifyAuditEndpoint, verified),
    reply(exportAuditEndpoint, { path: '/audit/export/ticket', fileName: 'audit.csv' }),
  ),
);

async function open(path = '/') {
  const app = await renderInApp(<AuditScreen />, {
    session: { name: 'Operator' },
    path,
    searchSchema: auditSearchSchema,
  });
  await screen.findByRole('heading', { name: 'Audit log' });
  return app;
}
const lastQuery = () => sentTo(auditEndpoint).at(-1)?.query;
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('shows user, time, action, subject, address and outcome', async () => {
  await open();
  const [, first, second] = within(
    await screen.findByRole('table', { name: 'Audit log' }),
  ).getAllByRole('row');
  expect(cells(first as HTMLElement).slice(1)).toEqual([
    'Fri, Nov 20, 2026 08:05 AM',
    'Operator',
    'Set how mail is sent',
    'e-mail configuration',
    'Done',
    '198.51.100.7',
  ]);
  expect(cells(second as HTMLElement).slice(2, 6)).toEqual([
    'not signed in',
    'Sign in',
    'user Stan',
    'Refusedwrong credentials',
  ]);
});

it('opens an entry to its changes and its ids', async () => {
  await open();
  const opener = await screen.findByRole('button', { name: /Details of entry 7/ });
  expect(opener.getAttribute('aria-expanded')).toBe('false');
  await person.click(opener);
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  const lines = within(screen.getByRole('table', { name: 'Changes' }))
    .getAllByRole('row')
    .slice(1);
  expect(lines.map(({ textContent }) => textContent)).toEqual(['port25587', 'password–•••']);
  expect(screen.getByText('2026-11-20T08:05:06.000Z')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy request id' })).toBeTruthy();
  await person.click(opener);
  expect(screen.queryByRole('table', { name: 'Changes' })).toBeNull();
});

it('stores filters in the address, sends them to the server, and includes the last day', async () => {
  const { search } = await open('/?user=oper&outcome=refused&from=1000&to=1999&unknown=1');
  await screen.findByRole('table', { name: 'Audit log' });
  expect(lastQuery()).toEqual({
    user: 'oper',
    outcome: 'refused',
    from: '1000',
    to: '2000',
    size: '50',
  });
  await fillIn(screen.getByLabelText('Subject'), ' mail ');
  await waitFor(() => expect(lastQuery()).toMatchObject({ subject: 'mail', user: 'oper' }), {
    timeout: 3000,
  });
  expect(search()).toMatchObject({
    subject: 'mail',
    user: 'oper',
    outcome: 'refused',
  });
  await person.click(screen.getByRole('button', { name: 'Clear all' }));
  await waitFor(() => expect(lastQuery()).toEqual({ size: '50' }));
  expect(screen.getByLabelText<HTMLInputElement>('Who').value).toBe('');
});

it('refuses an end before the start in the words of the specification, and preserves it', async () => {
  await open(`/?from=${Date.UTC(2024, 2, 10)}`);
  await fillIn(await screen.findByLabelText('To'), '09/03/2024');
  expect((await screen.findByRole('alert')).textContent).toBe(
    '09/03/2024 11:59 PM must be greater than 10/03/2024 12:00 AM',
  );
  expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe('09/03/2024');
  await fillIn(screen.getByLabelText('To'), '11/03/2024');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('loads older entries after the last one', async () => {
  addReplies(
    reply(auditEndpoint, ({ query }) =>
      query['olderThan'] === '7'
        ? { objList: [refused], next: null, totalCount: 2 }
        : { objList: [entry], next: 7, totalCount: 2 },
    ),
  );
  await open();
  await person.click(await screen.findByRole('button', { name: 'Older entries' }));
  await screen.findByText('user Stan');
  expect(screen.queryByRole('button', { name: 'Older entries' })).toBeNull();
  expect(screen.getByText('e-mail configuration')).toBeTruthy();
});

it('verifies the log, or names the first altered entry', async () => {
  await open();
  await person.click(await screen.findByRole('button', { name: 'Verify' }));
  expect(await screen.findByText('All 7 entries are unaltered.')).toBeTruthy();
  addReplies(
    reply(verifyAuditEndpoint, {
      ...verified,
      intact: false,
      checked: 3,
      firstBroken: { id: 4, reason: 'It was changed after it was written.' },
    }),
  );
  await person.click(screen.getByRole('button', { name: 'Verify' }));
  expect(await screen.findByText('Entry 4 has been altered.')).toBeTruthy();
  expect(
    screen.getByText(/It was changed after it was written\. The 3 entries before it are intact/),
  ).toBeTruthy();
});

it('exports the matching entries of all pages', async () => {
  const clicked = vi
    .spyOn(HTMLAnchorElement.prototype, 'click')
    .mockImplementation(() => undefined);
  await open('/?outcome=done&to=1999');
  await person.click(await screen.findByRole('button', { name: 'Export' }));
  await person.click(await screen.findByText('CSV, for spreadsheets'));
  await waitFor(() => expect(clicked).toHaveBeenCalled());
  expect(bodiesSentTo(exportAuditEndpoint)).toEqual([
    { format: 'csv', filter: { outcome: 'done', to: 2000 } },
  ]);
  expect(
    clicked.mock.contexts.map((link) => (link as HTMLAnchorElement).getAttribute('href')),
  ).toEqual(['/api/audit/export/ticket']);
  clicked.mockRestore();
});

it('says when nothing matches, and when access is denied', async () => {
  addReplies(reply(auditEndpoint, { objList: [], next: null, totalCount: 2 }));
  await open('/?user=nobody');
  expect(await screen.findByText('No entry matches')).toBeTruthy();
  addReplies(
    refuse(auditEndpoint, 403, {
      userMessage: 'Only an administrator may do this.',
      code: 'not_allowed',
    }),
  );
  await person.click(screen.getByRole('button', { name: 'Clear the filters' }));
  expect(await screen.findByText('You don’t have access to Audit log')).toBeTruthy();
});
