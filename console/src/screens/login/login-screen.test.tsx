import { signInFactorsEndpoint } from '@patch/contract/accounts/second-factor-endpoints.ts';
import {
  authenticateEndpoint,
  changePasswordEndpoint,
  meEndpoint,
  passwordPolicyEndpoint,
  type SignedInUser,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import { ssoStatusEndpoint } from '@patch/contract/accounts/sso-endpoints.ts';
import {
  beginTwoFactorEndpoint,
  enableTwoFactorEndpoint,
} from '@patch/contract/accounts/two-factor-endpoints.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { session } from '../../api/session.ts';
import { emptyService } from '../../testing/empty-service.ts';
import {
  addReplies,
  bodiesSentTo,
  refusal,
  refuse,
  reply,
  sentCalls,
} from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { signedInUser } from '../../testing/sign-in-as.ts';

vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: async ({ optionsJSON }: { optionsJSON: { challenge: string } }) => ({
    signed: optionsJSON.challenge,
  }),
}));

const user = signedInUser({ name: 'operator', timezone: null });
const signedIn = (identity: SignedInUser = user) => ({
  token: 'new',
  expiresAt: 1,
  user: identity,
});
const problem = (userMessage: string, code = 'refused') => ({ userMessage, code });
/** Returns the bodies of all sign-in requests. */
const attempts = () => bodiesSentTo(authenticateEndpoint);

async function open(path: string, heading = 'Sign in') {
  const { router } = await renderApp({ path });
  await screen.findByRole('heading', { name: heading }, { timeout: 10_000 });
  return router;
}

async function enter(username: string, password: string): Promise<void> {
  await fillIn(screen.getByLabelText('User name or email'), username);
  await fillIn(screen.getByLabelText('Password'), password);
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
}

beforeEach(() => addReplies(...emptyService(user)));

it('signs in and opens the requested page', async () => {
  addReplies(reply(authenticateEndpoint, signedIn()));
  const router = await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
  await enter(' operator ', 'correct horse');
  await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
    timeout: 10_000,
  });
  expect(attempts()).toEqual([
    { username: 'operator', password: 'correct horse', loginType: 'support-portal' },
  ]);
  expect(session().token).toBe('new');
});

it("shows the server's message about a wrong password", async () => {
  addReplies(refuse(authenticateEndpoint, 401, problem('The user name or the password is wrong.')));
  const router = await open('/login');
  await enter('operator', 'wrong');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The user name or the password is wrong.',
  );
  expect(router.state.location.pathname).toBe('/login');
  expect(session().token).toBeNull();
});

it('shows the remaining lockout time, and sends no request meanwhile', async () => {
  addReplies(
    refuse(authenticateEndpoint, 429, problem('Too many failed tries.'), { 'retry-after': '872' }),
  );
  await open('/login');
  await enter('operator', 'wrong');
  expect((await screen.findByText(/Try again in 14 min 3\d s\./)).textContent).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Sign in' }) as HTMLButtonElement).disabled).toBe(
    true,
  );
});

it('requires both fields before it sends a request', async () => {
  await open('/login');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('User name field is required')).toBeTruthy();
  expect(screen.getByText('Password field is required')).toBeTruthy();
  expect(sentCalls().filter(({ path }) => path !== '/sso/status')).toEqual([]);
});

it('shows and hides the password, and warns about Caps Lock', async () => {
  await open('/login');
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  await person.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.type).toBe('text');
  await person.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(field.type).toBe('password');

  expect(screen.queryByText('Caps Lock is on')).toBeNull();
  await pressKey('CapsLock', field);
  await pressKey('A');
  expect(screen.getByText('Caps Lock is on')).toBeTruthy();
});

it('requires the setup of a second factor before anything else', async () => {
  let current: SignedInUser = { ...user, mustSetUpSecondFactor: true };
  const codes = Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-000${n}`);
  addReplies(
    reply(authenticateEndpoint, () => signedIn(current)),
    reply(meEndpoint, () => current),
    reply(beginTwoFactorEndpoint, {
      secret: 'ABCDEFGH',
      uri: 'otpauth://totp/x?secret=ABCDEFGH',
    }),
    reply(enableTwoFactorEndpoint, { backupCodes: codes }),
  );
  const router = await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
  await enter('operator', 'given');
  await screen.findByRole('heading', { name: 'Set up a second factor' });
  expect(router.state.location.pathname).toBe('/login');
  await fillIn(await screen.findByLabelText('Current password'), 'given');
  await fillIn(screen.getByLabelText('Code'), '123456');
  await person.click(screen.getByRole('button', { name: 'Enable' }));
  expect(await screen.findByText(codes[0] ?? '')).toBeTruthy();
  current = user;
  await person.click(screen.getByRole('button', { name: 'I have saved them' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
    timeout: 10_000,
  });
});

it('requires a password change before anything else, and ticks the rules while typing', async () => {
  addReplies(
    reply(authenticateEndpoint, signedIn({ ...user, mustChangePassword: true })),
    reply(changePasswordEndpoint, { message: 'password updated successfully' }),
    reply(passwordPolicyEndpoint, {
      minLength: 8,
      enableSpecialChar: false,
      enableAlphabetAndNumber: true,
      enableMixCase: false,
    }),
  );
  const router = await open('/login');
  await enter('operator', 'given');
  await screen.findByRole('heading', { name: 'Choose your password' });
  await screen.findByText(/At least 8 characters/);
  expect(screen.getAllByText(/not met yet/)).toHaveLength(2);

  await fillIn(screen.getByLabelText('Current password'), 'given');
  await fillIn(screen.getByLabelText('New password'), 'much longer 1');
  await waitFor(() => expect(screen.queryByText(/not met yet/)).toBeNull());
  await fillIn(screen.getByLabelText('Confirm password'), 'much longer 1');
  await person.click(screen.getByRole('button', { name: 'Change password' }));

  await waitFor(() => expect(session().token).toBeNull());
  expect(bodiesSentTo(changePasswordEndpoint)).toMatchObject([
    { oldPassword: 'given', newPassword: 'much longer 1' },
  ]);
  expect(router.state.location.pathname).toBe('/login');
});

const replyByCode = reply(authenticateEndpoint, ({ body }) => {
  const { otp } = body as { otp?: string };
  if (otp === undefined) return refusal(401, problem('Enter the code.', 'otp_required'));
  return otp === '123456'
    ? signedIn()
    : refusal(401, problem('The code is not right.', 'otp_wrong'));
});

describe('with a second factor', () => {
  const code = async (label: string, typed: string) => {
    await fillIn(screen.getByLabelText(label), typed);
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
  };

  it('asks for the code after the password, shows when it is wrong, and signs in with the right one', async () => {
    addReplies(replyByCode);
    await open('/login');
    await enter('operator', 'correct horse');
    await screen.findByRole('heading', { name: 'Enter your code' });
    expect(screen.queryByRole('alert')).toBeNull();
    await code('Code', '000000');
    expect((await screen.findByRole('alert')).textContent).toContain('The code is not right.');
    await code('Code', ' 123456 ');
    await waitFor(() => expect(session().token).toBe('new'));
    expect(attempts().at(-1)).toEqual({
      username: 'operator',
      password: 'correct horse',
      loginType: 'support-portal',
      otp: '123456',
    });
  });

  it('asks for the passkey when the user has one', async () => {
    vi.stubGlobal('PublicKeyCredential', () => undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    const passkey = {
      challenge: 'sign-this',
      rpId: 'localhost',
      allowCredentials: [{ id: 'AAAA', type: 'public-key' as const }],
    };
    addReplies(
      reply(signInFactorsEndpoint, { app: false, backupCodesLeft: 9, passkey }),
      reply(authenticateEndpoint, ({ body }) =>
        Object.hasOwn(body as object, 'passkey')
          ? signedIn()
          : refusal(401, problem('Enter the code.', 'otp_required')),
      ),
    );
    await open('/login');
    await enter('operator', 'correct horse');
    await screen.findByRole('heading', { name: 'Use your passkey' });
    await person.click(screen.getByRole('button', { name: 'Use passkey' }));
    await waitFor(() => expect(session().token).toBe('new'));
    expect(attempts().at(-1)).toEqual({
      username: 'operator',
      password: 'correct horse',
      loginType: 'support-portal',
      passkey: { signed: 'sign-this' },
    });
  });

  it('accepts a backup code, and goes back to the password', async () => {
    addReplies(replyByCode);
    await open('/login');
    await enter('operator', 'correct horse');
    await person.click(await screen.findByRole('button', { name: 'Use a backup code' }));
    expect(screen.getByLabelText<HTMLInputElement>('Backup code').inputMode).toBe('text');
    await code('Backup code', '0000-0000-0000');
    await screen.findByRole('alert');
    await person.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(screen.getByLabelText<HTMLInputElement>('User name or email').value).toBe('operator');
  });
});

describe('with an identity provider', () => {
  it('shows the link once it is configured', async () => {
    addReplies(reply(ssoStatusEndpoint, { enabled: true, label: 'Example' }));
    await open('/login?redirectFrom=%2Fpatch-repository%2Fsync');
    const link = await screen.findByRole('link', { name: 'Sign in with Example' });
    expect(link.getAttribute('href')).toBe(
      '/api/sso/start?redirectFrom=%2Fpatch-repository%2Fsync',
    );
  });

  it('exchanges the ticket once, removes it from the address, and opens the requested page', async () => {
    addReplies(reply(authenticateEndpoint, signedIn()));
    const router = await open(
      '/login?sso=ticket-1&redirectFrom=%2Fpatch-repository%2Fsync',
      'Signing you in',
    );
    await waitFor(() => expect(router.state.location.pathname).toBe('/patch-repository/sync'), {
      timeout: 10_000,
    });
    expect(attempts()).toEqual([{ username: 'sso', password: 'ticket-1', loginType: 'sso' }]);
    expect(session()).toMatchObject({ token: 'new', loginType: 'sso' });
    expect(router.history.location.href).not.toContain('ticket-1');
  });

  it('asks a user with a second factor for the code', async () => {
    addReplies(replyByCode);
    await open('/login?sso=ticket-1', 'Enter your code');
    await fillIn(screen.getByLabelText('Code'), '123456');
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session().token).toBe('new'));
    expect(attempts().at(-1)).toMatchObject({
      password: 'ticket-1',
      otp: '123456',
    });
  });

  it('shows why a ticket or the provider failed, and offers the other sign-in', async () => {
    addReplies(
      refuse(
        authenticateEndpoint,
        401,
        problem('Signing in took too long. Begin again.', 'sso_over'),
      ),
    );
    await open('/login?sso=old', 'Sign in');
    expect((await screen.findByRole('alert')).textContent).toContain('Signing in took too long.');
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });

  it('shows its own message for each failure, and no text from the address', async () => {
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
