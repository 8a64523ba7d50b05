import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newQueryClient } from '../../api/query-client.ts';
import { session, signOut } from '../../api/session.ts';
import { newRouter } from '../../shell/router.tsx';

vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: async ({ optionsJSON }: { optionsJSON: { challenge: string } }) => ({
    signed: optionsJSON.challenge,
  }),
}));

const user: SignedInUser = {
  id: 1,
  name: 'operator',
  email: '',
  userType: 'Admin',
  timezone: null,
  mustChangePassword: false,
};
const answers = vi.fn<(path: string, body: unknown) => Response>();
const problem = (status: number, userMessage: string, headers = {}, code = 'refused') =>
  new Response(JSON.stringify({ userMessage, code, requestId: 'r1' }), { status, headers });
const signedIn = () => new Response(JSON.stringify({ token: 'new', expiresAt: 1, user }));
/** Asked by the page itself, whatever a test is about. */
let sso = { enabled: false, label: '' };

async function open(path: string, heading = 'Sign in') {
  const router = newRouter(createMemoryHistory({ initialEntries: [path] }));
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { name: heading }, { timeout: 10_000 });
  return router;
}

function fillIn(username: string, password: string): void {
  fireEvent.change(screen.getByLabelText('User name or email'), { target: { value: username } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

beforeEach(() => {
  answers.mockReset();
  sso = { enabled: false, label: '' };
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    url === '/api/sso/status'
      ? new Response(JSON.stringify(sso))
      : answers(url, JSON.parse((init.body as string | undefined) ?? 'null')),
  );
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
  await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
    timeout: 10_000,
  });
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
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The user name or the password is wrong.',
  );
  expect(router.state.location.pathname).toBe('/login');
  expect(session().token).toBeNull();
});

it('says how long a locked-out person waits, and asks nothing meanwhile', async () => {
  answers.mockImplementation(() =>
    problem(429, 'Too many failed tries.', { 'retry-after': '872' }),
  );
  await open('/login');
  fillIn('operator', 'wrong');
  expect((await screen.findByText(/Try again in 14 min 3\d s\./)).textContent).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Sign in' }) as HTMLButtonElement).disabled).toBe(
    true,
  );
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

it('lets nobody on who must set up a second factor first', async () => {
  let held: object = { ...user, mustSetUpSecondFactor: true };
  const codes = Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-000${n}`);
  answers.mockImplementation((path) => {
    if (path === '/api/authenticate')
      return new Response(JSON.stringify({ token: 'new', expiresAt: 1, user: held }));
    if (path === '/api/me') return new Response(JSON.stringify(held));
    if (path === '/api/user/twofactor/secret')
      return new Response(
        JSON.stringify({ secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' }),
      );
    if (path === '/api/user/twofactor') return new Response(JSON.stringify({ backupCodes: codes }));
    return new Response(JSON.stringify({ objList: [], totalCount: 0 }));
  });
  const router = await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
  fillIn('operator', 'given');
  await screen.findByRole('heading', { name: 'Set up a second factor' });
  expect(router.state.location.pathname).toBe('/login');
  fireEvent.change(await screen.findByLabelText('Current password'), {
    target: { value: 'given' },
  });
  fireEvent.change(screen.getByLabelText('Code'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Enable' }));
  expect(await screen.findByText(codes[0] ?? '')).toBeTruthy();
  held = user;
  fireEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
    timeout: 10_000,
  });
});

it('lets nobody on who must change the password first, and ticks the rules while they type', async () => {
  answers.mockImplementation((path) =>
    path === '/api/authenticate'
      ? new Response(
          JSON.stringify({
            token: 'new',
            expiresAt: 1,
            user: { ...user, mustChangePassword: true },
          }),
        )
      : path === '/api/user/changepassword'
        ? new Response(JSON.stringify({ message: 'password updated successfully' }))
        : new Response(
            JSON.stringify({
              minLength: 8,
              enableSpecialChar: false,
              enableAlphabetAndNumber: true,
              enableMixCase: false,
            }),
          ),
  );
  const router = await open('/login');
  fillIn('operator', 'given');
  await screen.findByRole('heading', { name: 'Choose your password' });
  await screen.findByText(/At least 8 characters/);
  expect(screen.getAllByText(/not met yet/)).toHaveLength(2);

  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'given' } });
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'much longer 1' } });
  await waitFor(() => expect(screen.queryByText(/not met yet/)).toBeNull());
  fireEvent.change(screen.getByLabelText('Confirm password'), {
    target: { value: 'much longer 1' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));

  await waitFor(() => expect(session().token).toBeNull());
  expect(answers.mock.calls.at(-1)).toEqual([
    '/api/user/changepassword',
    { oldPassword: 'given', newPassword: 'much longer 1' },
  ]);
  expect(router.state.location.pathname).toBe('/login');
});

describe('with a second factor', () => {
  const asksForCode = (path: string, body: unknown) => {
    if (path !== '/api/authenticate') return new Response(JSON.stringify(user));
    const { otp } = body as { otp?: string };
    if (otp === undefined) return problem(401, 'Enter the code.', {}, 'otp_required');
    return otp === '123456' ? signedIn() : problem(401, 'The code is not right.', {}, 'otp_wrong');
  };
  const code = (label: string, typed: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value: typed } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  };

  it('asks for the code after the password, says when it is wrong, and signs in with the right one', async () => {
    answers.mockImplementation(asksForCode);
    await open('/login');
    fillIn('operator', 'correct horse');
    await screen.findByRole('heading', { name: 'Enter your code' });
    expect(screen.queryByRole('alert')).toBeNull();
    code('Code', '000000');
    expect((await screen.findByRole('alert')).textContent).toContain('The code is not right.');
    code('Code', ' 123456 ');
    await waitFor(() => expect(session().token).toBe('new'));
    expect(answers.mock.calls.findLast(([path]) => path === '/api/authenticate')?.[1]).toEqual({
      username: 'operator',
      password: 'correct horse',
      loginType: 'support-portal',
      otp: '123456',
    });
  });

  it('asks for the passkey of a person who has one', async () => {
    vi.stubGlobal('PublicKeyCredential', () => undefined);
    const passkey = {
      challenge: 'sign-this',
      rpId: 'localhost',
      allowCredentials: [{ id: 'AAAA', type: 'public-key' }],
    };
    answers.mockImplementation((path, body) => {
      if (path === '/api/authenticate/secondfactor')
        return Response.json({ app: false, backupCodesLeft: 9, passkey });
      if (path !== '/api/authenticate') return Response.json(user);
      return Object.hasOwn(body as object, 'passkey')
        ? signedIn()
        : problem(401, 'Enter the code.', {}, 'otp_required');
    });
    await open('/login');
    fillIn('operator', 'correct horse');
    await screen.findByRole('heading', { name: 'Use your passkey' });
    fireEvent.click(screen.getByRole('button', { name: 'Use passkey' }));
    await waitFor(() => expect(session().token).toBe('new'));
    expect(answers.mock.calls.findLast(([path]) => path === '/api/authenticate')?.[1]).toEqual({
      username: 'operator',
      password: 'correct horse',
      loginType: 'support-portal',
      passkey: { signed: 'sign-this' },
    });
  });

  it('takes a backup code, and goes back to the password', async () => {
    answers.mockImplementation(asksForCode);
    await open('/login');
    fillIn('operator', 'correct horse');
    fireEvent.click(await screen.findByRole('button', { name: 'Use a backup code' }));
    expect(screen.getByLabelText<HTMLInputElement>('Backup code').inputMode).toBe('text');
    code('Backup code', '0000-0000-0000');
    await screen.findByRole('alert');
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(screen.getByLabelText<HTMLInputElement>('User name or email').value).toBe('operator');
  });
});

describe('with an identity provider', () => {
  it('shows the way there once it is configured', async () => {
    sso = { enabled: true, label: 'Example' };
    await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
    const link = await screen.findByRole('link', { name: 'Sign in with Example' });
    expect(link.getAttribute('href')).toBe(
      '/api/sso/start?redirectFrom=%2Fpatch-repository%2Fsync',
    );
  });

  it('exchanges the ticket once, takes it out of the address, and goes to the page that was asked for', async () => {
    answers.mockImplementation((path) =>
      path === '/api/authenticate' ? signedIn() : new Response(JSON.stringify(user)),
    );
    const router = await open(
      '/login?sso=ticket-1&redirectFrom=%2Fpatch-repository%2Fsync',
      'Signing you in',
    );
    await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
      timeout: 10_000,
    });
    expect(
      answers.mock.calls.filter(([path]) => path === '/api/authenticate').map(([, body]) => body),
    ).toEqual([{ username: 'sso', password: 'ticket-1', loginType: 'sso' }]);
    expect(session()).toMatchObject({ token: 'new', loginType: 'sso' });
    expect(router.history.location.href).not.toContain('ticket-1');
  });

  it('asks a user with a second factor for the code', async () => {
    answers.mockImplementation((path, body) =>
      path !== '/api/authenticate'
        ? new Response(JSON.stringify(user))
        : (body as { otp?: string }).otp === undefined
          ? problem(401, 'Enter the code.', {}, 'otp_required')
          : signedIn(),
    );
    await open('/login?sso=ticket-1', 'Enter your code');
    fireEvent.change(screen.getByLabelText('Code'), { target: { value: '123456' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session().token).toBe('new'));
    expect(
      answers.mock.calls.findLast(([path]) => path === '/api/authenticate')?.[1],
    ).toMatchObject({
      password: 'ticket-1',
      otp: '123456',
    });
  });

  it('says why a ticket or the provider was of no use, and lets the person sign in otherwise', async () => {
    answers.mockImplementation(() =>
      problem(401, 'Signing in took too long. Begin again.', {}, 'sso_over'),
    );
    await open('/login?sso=old', 'Sign in');
    expect((await screen.findByRole('alert')).textContent).toContain('Signing in took too long.');
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });

  it('has its own words for each failure, and none of what anybody writes into an address', async () => {
    const router = await open('/login?ssoError=domain');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Email addresses of your domain may not sign in here.',
    );
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    cleanup();
    await open('/login?ssoError=Call%20%2B1%20555%200100');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

it('closes when the user signs in in another tab', async () => {
  answers.mockImplementation((path) =>
    path === '/api/me'
      ? new Response(JSON.stringify(user))
      : new Response(JSON.stringify({ objList: [], totalCount: 0 })),
  );
  const router = await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
  localStorage.setItem(
    'patch-repository.session',
    JSON.stringify({ token: 'theirs', user, loginType: 'support-portal' }),
  );
  dispatchEvent(new StorageEvent('storage', { key: 'patch-repository.session' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
    timeout: 10_000,
  });
});

it('tries once, however often it is pressed', async () => {
  let answered: (response: Response) => void = () => {};
  const tried = vi.fn();
  vi.stubGlobal('fetch', (url: string) => {
    if (url !== '/api/authenticate') return Promise.resolve(new Response(JSON.stringify(sso)));
    tried();
    return new Promise<Response>((resolve) => (answered = resolve));
  });
  await open('/login');
  fillIn('operator', 'wrong');
  await waitFor(() => expect(tried).toHaveBeenCalledTimes(1));
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  fireEvent.submit(screen.getByLabelText('Password').closest('form') as HTMLFormElement);
  answered(problem(401, 'The user name or the password is wrong.'));
  await screen.findByRole('alert');
  expect(tried).toHaveBeenCalledTimes(1);
});
