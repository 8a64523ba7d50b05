import type { AuditRecord } from '@patch/contract/audit-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { signIn, signOut } from '../../api/session.ts';
import { ReaderZone } from '../../values/reader-zone.ts';
import { AuditScreen } from './audit-screen.tsx';

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
  unkeyed: 0,
  otherKey: 0,
  anchored: 7,
  firstBroken: null,
  firstId: 1,
  lastId: 7,
  lastHash: 'f'.repeat(64),
  verifiedAt: 1,
};

let asked: { call: string; query: Record<string, string>; body: unknown }[];
let answers: Record<string, (query: URLSearchParams) => Response>;
const answer = (body: object, status = 200) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
  signIn('token', {
    id: 1,
    name: 'Operator',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  });
  asked = [];
  answers = {
    'GET /audit': () => answer({ objList: [entry, refused], next: null }),
    'GET /audit/actions': () =>
      answer({ objList: [{ action: 'authenticate', summary: 'Sign in' }] }),
    'POST /audit/verify': () => answer(verified),
    'POST /audit/export': () =>
      answer({ path: '/audit/export/ticket', fileName: 'audit.csv' }, 201),
  };
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://console');
    const call = `${method} ${pathname.replace('/api', '')}`;
    asked.push({
      call,
      query: Object.fromEntries(searchParams),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : null,
    });
    return (
      answers[call]?.(searchParams) ??
      answer({ userMessage: 'Nothing there.', code: 'nothing', requestId: 'r' }, 404)
    );
  });
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

async function open(at = '/') {
  const router = createRouter({
    routeTree: createRootRoute({ component: AuditScreen }),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ReaderZone value="UTC">
        <RouterProvider router={router as never} />
      </ReaderZone>
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { name: 'Audit log' });
  return router;
}
const lastQuery = () => asked.findLast(({ call }) => call === 'GET /audit')?.query;
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('shows who did what, when, to what, from where, and how it ended', async () => {
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

it('an entry opens to the difference between before and after, and to what names it elsewhere', async () => {
  await open();
  const opener = await screen.findByRole('button', { name: /Details of entry 7/ });
  expect(opener.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(opener);
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  const lines = within(screen.getByRole('table', { name: 'Changes' }))
    .getAllByRole('row')
    .slice(1);
  expect(lines.map(({ textContent }) => textContent)).toEqual(['port25587', 'password–•••']);
  expect(screen.getByText('2026-11-20T08:05:06.000Z')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy request id' })).toBeTruthy();
  fireEvent.click(opener);
  expect(screen.queryByRole('table', { name: 'Changes' })).toBeNull();
});

it('filters stand in the address and are asked of the server; the last day counts whole', async () => {
  const router = await open('/?user=oper&outcome=refused&from=1000&to=1999&unknown=1');
  await screen.findByRole('table', { name: 'Audit log' });
  expect(lastQuery()).toEqual({
    user: 'oper',
    outcome: 'refused',
    from: '1000',
    to: '2000',
    size: '50',
  });
  fireEvent.change(screen.getByLabelText('Subject'), { target: { value: ' mail ' } });
  await waitFor(() => expect(lastQuery()).toMatchObject({ subject: 'mail', user: 'oper' }), {
    timeout: 3000,
  });
  expect(router.state.location.search).toMatchObject({
    subject: 'mail',
    user: 'oper',
    outcome: 'refused',
  });
  fireEvent.click(screen.getByRole('button', { name: 'Clear all' }));
  await waitFor(() => expect(lastQuery()).toEqual({ size: '50' }));
  expect(screen.getByLabelText<HTMLInputElement>('Who').value).toBe('');
});

it('an end before the start is refused in the words of the specification, and stays as it was typed', async () => {
  await open(`/?from=${Date.UTC(2024, 2, 10)}`);
  fireEvent.change(await screen.findByLabelText('To'), { target: { value: '09/03/2024' } });
  expect((await screen.findByRole('alert')).textContent).toBe(
    '09/03/2024 11:59 PM must be greater than 10/03/2024 12:00 AM',
  );
  expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe('09/03/2024');
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '11/03/2024' } });
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

it('older entries follow from the last one', async () => {
  answers['GET /audit'] = (query) =>
    query.get('olderThan') === '7'
      ? answer({ objList: [refused], next: null })
      : answer({ objList: [entry], next: 7 });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Older entries' }));
  await screen.findByText('user Stan');
  expect(screen.queryByRole('button', { name: 'Older entries' })).toBeNull();
  expect(screen.getByText('e-mail configuration')).toBeTruthy();
});

it('verifying says that all is as it was written, or names the first entry that is not', async () => {
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Verify' }));
  expect(await screen.findByText('All 7 entries are unaltered.')).toBeTruthy();
  answers['POST /audit/verify'] = () =>
    answer({
      ...verified,
      intact: false,
      checked: 3,
      firstBroken: { id: 4, reason: 'It was changed after it was written.' },
    });
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
  expect(await screen.findByText('Entry 4 has been altered.')).toBeTruthy();
  expect(
    screen.getByText(/It was changed after it was written\. The 3 entries before it are intact/),
  ).toBeTruthy();
});

it('exports what is shown, on all pages', async () => {
  const clicked = vi
    .spyOn(HTMLAnchorElement.prototype, 'click')
    .mockImplementation(() => undefined);
  await open('/?outcome=done&to=1999');
  fireEvent.click(await screen.findByRole('button', { name: 'Export' }));
  fireEvent.click(await screen.findByText('CSV, for spreadsheets'));
  await waitFor(() => expect(clicked).toHaveBeenCalled());
  expect(asked.find(({ call }) => call === 'POST /audit/export')?.body).toEqual({
    format: 'csv',
    filter: { outcome: 'done', to: 2000 },
  });
  expect(
    clicked.mock.contexts.map((link) => (link as HTMLAnchorElement).getAttribute('href')),
  ).toEqual(['/api/audit/export/ticket']);
  clicked.mockRestore();
});

it('nothing that matches, and nothing that may be seen, each say so', async () => {
  answers['GET /audit'] = () => answer({ objList: [], next: null });
  await open('/?user=nobody');
  expect(await screen.findByText('No entry matches')).toBeTruthy();
  answers['GET /audit'] = () =>
    answer(
      { userMessage: 'Only an administrator may do this.', code: 'not_allowed', requestId: 'r' },
      403,
    );
  fireEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
  expect(await screen.findByText('You don’t have access to Audit log')).toBeTruthy();
});
