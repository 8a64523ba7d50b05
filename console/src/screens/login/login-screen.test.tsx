import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { session, signOut } from '../../api/session.ts';
import { newRouter } from '../../shell/router.tsx';

const user: SignedInUser = { id: 1, name: 'operator', email: '', userType: 'Admin', timezone: null, mustChangePassword: false };
const answers = vi.fn<(path: string, body: unknown) => Response>();
const problem = (status: number, userMessage: string, headers = {}) =>
  new Response(JSON.stringify({ userMessage, code: 'refused', requestId: 'r1' }), { status, headers });

async function open(path: string) {
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { name: 'Sign in' }, { timeout: 10_000 });
  return router;
}

function fillIn(username: string, password: string): void {
  fireEvent.change(screen.getByLabelText('User name or e-mail'), { target: { value: username } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

beforeEach(() => {
  answers.mockReset();
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => answers(url, JSON.parse((init.body as string | undefined) ?? 'null')));
});

afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

it('signs in and goes to the page that was asked for', async () => {
  answers.mockImplementation((path) =>
    path === '/api/authenticate'
      ? new Response(JSON.stringify({ token: 'new', expiresAt: 1, user }))
      : path === '/api/me'
        ? new Response(JSON.stringify(user))
        : new Response(JSON.stringify({ objList: [], totalCount: 0 })),
  );
  const router = await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
  fillIn(' operator ', 'correct horse');
  await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), { timeout: 10_000 });
  expect(answers.mock.calls[0]).toEqual([
    '/api/authenticate',
    { username: 'operator', password: 'correct horse', loginType: 'support-portal' },
  ]);
  expect(session().token).toBe('new');
});

it('tells what the server says of a wrong password, and stays', async () => {
  answers.mockImplementation(() => problem(401, 'The user name or the password is wrong.'));
  const router = await open('/login');
  fillIn('operator', 'wrong');
  expect((await screen.findByRole('alert')).textContent).toContain('The user name or the password is wrong.');
  expect(router.state.location.pathname).toBe('/login');
  expect(session().token).toBeNull();
});

it('says how long a locked-out person waits, and asks nothing meanwhile', async () => {
  answers.mockImplementation(() => problem(429, 'Too many failed tries.', { 'retry-after': '872' }));
  await open('/login');
  fillIn('operator', 'wrong');
  expect((await screen.findByText(/Try again in 14 min 3\d s\./)).textContent).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Sign in' }) as HTMLButtonElement).disabled).toBe(true);
});

it('asks for both fields before it asks the server', async () => {
  await open('/login');
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('User name field is required')).toBeTruthy();
  expect(screen.getByText('Password field is required')).toBeTruthy();
  expect(answers).not.toHaveBeenCalled();
});

it('shows and hides the password, and warns of Caps Lock', async () => {
  await open('/login');
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.type).toBe('text');
  fireEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(field.type).toBe('password');

  const press = new KeyboardEvent('keydown', { key: 'A', bubbles: true });
  Object.defineProperty(press, 'getModifierState', { value: (key: string) => key === 'CapsLock' });
  fireEvent(field, press);
  expect(screen.getByText('Caps Lock is on')).toBeTruthy();
});

it('lets nobody on who must change the password first, and ticks the rules while they type', async () => {
  answers.mockImplementation((path) =>
    path === '/api/authenticate'
      ? new Response(JSON.stringify({ token: 'new', expiresAt: 1, user: { ...user, mustChangePassword: true } }))
      : path === '/api/user/changepassword'
        ? new Response(JSON.stringify({ message: 'password updated successfully' }))
        : new Response(JSON.stringify({ minLength: 8, enableSpecialChar: false, enableAlphabetAndNumber: true, enableMixCase: false })),
  );
  const router = await open('/login');
  fillIn('operator', 'given');
  await screen.findByRole('heading', { name: 'Choose your password' });
  await screen.findByText(/At least 8 characters/);
  expect(screen.getAllByText(/not met yet/)).toHaveLength(2);

  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'given' } });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'much longer 1' } });
  await waitFor(() => expect(screen.queryByText(/not met yet/)).toBeNull());
  fireEvent.change(screen.getByLabelText('Confirm password'), { target: { value: 'much longer 1' } });
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));

  await waitFor(() => expect(session().token).toBeNull());
  expect(answers.mock.calls.at(-1)).toEqual(['/api/user/changepassword', { oldPassword: 'given', newPassword: 'much longer 1' }]);
  expect(router.state.location.pathname).toBe('/login');
});
