import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { ConfirmHost } from '../../widgets/confirm-modal.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

const off = { enabled: false, enabledAt: null, backupCodesLeft: 0 };
const on = { enabled: true, enabledAt: Date.UTC(2026, 10, 21), backupCodesLeft: 9 };
const noPasskeys = { objList: [], totalCount: 0, unavailable: null };
const app = { app: true, backupCodesLeft: 9, passkey: null };
const codes = Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-000${n}`);
const user = {
  id: 1,
  name: 'jane',
  email: '',
  userType: 'Standard',
  timezone: 'UTC',
  mustChangePassword: false,
} as const;

const registration = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
};
const startRegistration =
  vi.fn<(asked: { optionsJSON: { challenge: string } }) => Promise<unknown>>();
const startAuthentication =
  vi.fn<(asked: { optionsJSON: { challenge: string } }) => Promise<unknown>>();
vi.mock('@simplewebauthn/browser', () => ({
  startRegistration: (asked: { optionsJSON: { challenge: string } }) => startRegistration(asked),
  startAuthentication: (asked: { optionsJSON: { challenge: string } }) =>
    startAuthentication(asked),
}));

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  startRegistration.mockReset().mockResolvedValue(registration);
  startAuthentication.mockReset();
  signIn('token', user);
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('is switched on with the secret in the app, the password and a code; then the backup codes are shown once', async () => {
  const answers: Record<string, object> = {
    '/user/twofactor': off,
    '/user/twofactor/passkeys': noPasskeys,
    '/user/twofactor/secret': {
      secret: 'ABCDEFGHIJKLMNOP',
      uri: 'otpauth://totp/Patch%20Repository:jane?secret=ABCDEFGHIJKLMNOP',
    },
  };
  const { asked } = await renderInRouter(<TwoFactorSection />, answers);
  await screen.findByText('Off: you sign in with your password only.');
  press('Enable');
  expect(await screen.findByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
  // The button that was pressed is gone.
  expect(document.activeElement).toBe(
    screen.getByRole('list', { name: 'Set up the authenticator app' }),
  );
  const drawn = screen.getByRole('img', { name: 'QR code with the authenticator secret' });
  await waitFor(() => expect(drawn.querySelector('svg path')).toBeTruthy());
  press('Enable');
  expect(await screen.findByText('Code field is required')).toBeTruthy();
  fill('Current password', 'Correct-Horse-7');
  fill('Code', ' 123456 ');
  answers['/user/twofactor'] = { backupCodes: codes };
  press('Enable');
  const list = await screen.findByRole('list', { name: 'Backup codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  expect(asked.find(({ path, body }) => path === '/user/twofactor' && body !== null)?.body).toEqual(
    {
      password: 'Correct-Horse-7',
      otp: '123456',
    },
  );
  expect(
    decodeURIComponent(screen.getByRole('link', { name: 'Download' }).getAttribute('href') ?? ''),
  ).toContain(codes.join('\n'));
  press('I have saved them');
  expect(screen.queryByText(codes[0] ?? '')).toBeNull();
});

test('what is refused stands at its field', async () => {
  await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': on,
    '/user/twofactor/passkeys': noPasskeys,
    '/me/proof/secondfactor': app,
  });
  expect(await screen.findByText('9 backup codes left.', { exact: false })).toBeTruthy();
  press('Disable');
  await screen.findByLabelText('Current password');
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(
        JSON.stringify({
          userMessage: 'The code is not right.',
          code: 'wrong_code',
          requestId: 'r',
        }),
        { status: 422 },
      ),
  );
  fill('Current password', 'Correct-Horse-7');
  fill('Code', '000000');
  press('Disable');
  expect(await screen.findByText('The code is not right.')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true'),
  );
});

test('is switched off, and backup codes are renewed', async () => {
  const { asked } = await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': on,
    '/user/twofactor/passkeys': noPasskeys,
    '/me/proof/secondfactor': app,
    '/user/twofactor/off': { message: 'The second factor is switched off.' },
    '/user/twofactor/backupcodes': { backupCodes: codes },
  });
  await screen.findByText('9 backup codes left.', { exact: false });
  press('New backup codes');
  await screen.findByLabelText('Current password');
  fill('Current password', 'Correct-Horse-7');
  fill('Code', '123456');
  press('Create new codes');
  await screen.findByRole('list', { name: 'Backup codes' });
  press('I have saved them');
  press('Disable');
  await screen.findByLabelText('Current password');
  press('Cancel');
  press('Disable');
  await screen.findByLabelText('Current password');
  fill('Current password', 'Correct-Horse-7');
  fill('Code', '654321');
  press('Disable');
  await waitFor(() =>
    expect(asked.find(({ path }) => path === '/user/twofactor/off')?.body).toEqual({
      password: 'Correct-Horse-7',
      otp: '654321',
    }),
  );
});

test('few backup codes are a warning', async () => {
  await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': { ...on, backupCodesLeft: 1 },
    '/user/twofactor/passkeys': noPasskeys,
  });
  expect(await screen.findByText(/Create new backup codes before you run out/)).toBeTruthy();
  expect(screen.getByText('One backup code left.', { exact: false })).toBeTruthy();
});

test('who signed in with an identity provider reads what this factor is beside it', async () => {
  signIn('token', user, 'sso');
  await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': off,
    '/user/twofactor/passkeys': noPasskeys,
  });
  expect(await screen.findByText(/This one applies in addition/)).toBeTruthy();
});

const laptop = {
  id: 7,
  name: 'Laptop',
  host: 'localhost',
  createdAt: Date.UTC(2026, 10, 21),
  lastUsedAt: null,
};
const creation = {
  challenge: 'made-for-jane',
  rp: { id: 'localhost', name: 'Patch Repository' },
  user: { id: 'AAAA', name: 'jane', displayName: 'jane' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
};

test('a passkey is added under its name; the first one comes with backup codes', async () => {
  const answers: Record<string, object> = {
    '/user/twofactor': off,
    'GET /user/twofactor/passkeys': noPasskeys,
    '/user/twofactor/passkeys/options': { options: creation },
    'POST /user/twofactor/passkeys': { passkey: laptop, backupCodes: codes },
  };
  const { asked } = await renderInRouter(<TwoFactorSection />, answers);
  fireEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  fill('Name', ' Laptop ');
  press('Add passkey');
  await screen.findByRole('list', { name: 'Backup codes' });
  expect(startRegistration.mock.calls[0]?.[0].optionsJSON.challenge).toBe('made-for-jane');
  expect(
    asked.find(({ method, path }) => method === 'POST' && path === '/user/twofactor/passkeys')
      ?.body,
  ).toEqual({
    name: 'Laptop',
    registration,
  });
});

test('a passkey that the browser did not make is told, and nothing is sent', async () => {
  startRegistration.mockRejectedValue(Object.assign(new Error('no'), { name: 'NotAllowedError' }));
  const { asked } = await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': off,
    '/user/twofactor/passkeys': noPasskeys,
    '/user/twofactor/passkeys/options': { options: creation },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  press('Add passkey');
  expect(
    await screen.findByText(
      'The passkey was not made: it was cancelled or took too long. Try again.',
    ),
  ).toBeTruthy();
  expect(
    asked.some(({ method, path }) => method === 'POST' && path === '/user/twofactor/passkeys'),
  ).toBe(false);
});

test('a passkey is removed once that is confirmed', async () => {
  const section = (
    <>
      <TwoFactorSection />
      <ConfirmHost />
    </>
  );
  const { asked } = await renderInRouter(section, {
    '/user/twofactor': { ...off, backupCodesLeft: 10 },
    '/user/twofactor/passkeys': {
      objList: [laptop, { ...laptop, id: 8, name: 'Key', host: 'old.example.org' }],
      totalCount: 2,
      unavailable: null,
    },
    'DELETE /user/twofactor/passkeys/7': { message: 'removed' },
  });
  expect(
    await screen.findByText('can be used only at old.example.org', { exact: false }),
  ).toBeTruthy();
  press('Remove the passkey Laptop');
  fireEvent.click(await screen.findByRole('button', { name: 'Remove it' }));
  await waitFor(() =>
    expect(
      asked.some(
        ({ method, path }) => method === 'DELETE' && path === '/user/twofactor/passkeys/7',
      ),
    ).toBe(true),
  );
});

test('backup codes are renewed with a passkey where that is what the person has', async () => {
  startAuthentication.mockResolvedValue({ id: 'AAAA', signed: true });
  const { asked } = await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': { ...off, backupCodesLeft: 0 },
    '/user/twofactor/passkeys': { objList: [laptop], totalCount: 1, unavailable: null },
    '/me/proof/secondfactor': {
      app: false,
      backupCodesLeft: 0,
      passkey: {
        challenge: 'sign-this',
        rpId: 'localhost',
        allowCredentials: [{ id: 'AAAA', type: 'public-key' }],
      },
    },
    '/user/twofactor/backupcodes': { backupCodes: codes },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New backup codes' }));
  await screen.findByText('Your browser asks for your passkey next.');
  expect(screen.queryByLabelText('Code')).toBeNull();
  fill('Current password', 'Correct-Horse-7');
  press('Create new codes');
  await screen.findByRole('list', { name: 'Backup codes' });
  expect(startAuthentication.mock.calls[0]?.[0].optionsJSON.challenge).toBe('sign-this');
  expect(asked.find(({ path }) => path === '/user/twofactor/backupcodes')?.body).toEqual({
    password: 'Correct-Horse-7',
    passkey: { id: 'AAAA', signed: true },
  });
});

test('where browsers accept no passkey, it is said why', async () => {
  const unavailable = 'Passkeys need a base URL with a host name; it has the IP address 192.0.2.7.';
  await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': off,
    '/user/twofactor/passkeys': { ...noPasskeys, unavailable },
  });
  expect(await screen.findByText(unavailable)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});
