import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  passkeysEndpoint,
  removePasskeyEndpoint,
} from '@patch/contract/accounts/passkey-endpoints.ts';
import { proofFactorsEndpoint } from '@patch/contract/accounts/second-factor-endpoints.ts';
import {
  beginTwoFactorEndpoint,
  disableTwoFactorEndpoint,
  enableTwoFactorEndpoint,
  renewBackupCodesEndpoint,
  twoFactorEndpoint,
} from '@patch/contract/accounts/two-factor-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { signIn, signOut } from '../../api/session.ts';
import { bodiesSentTo, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signedInUser } from '../../testing/sign-in-as.ts';
import { TwoFactorSection } from './two-factor-section.tsx';

type TwoFactorState = z.output<typeof twoFactorEndpoint.reply>;
type Passkeys = z.output<typeof passkeysEndpoint.reply>;

const off = { enabled: false, enabledAt: null, backupCodesLeft: 0 };
const on = { enabled: true, enabledAt: Date.UTC(2026, 10, 21), backupCodesLeft: 9 };
const noPasskeys = { objList: [], totalCount: 0, unavailable: null };
const app = { app: true, backupCodesLeft: 9, passkey: null };
const codes = Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-000${n}`);
const user = signedInUser({ name: 'jane', userType: 'Standard' });

const registration = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
};
const startRegistration =
  vi.fn<(options: { optionsJSON: { challenge: string } }) => Promise<unknown>>();
const startAuthentication =
  vi.fn<(options: { optionsJSON: { challenge: string } }) => Promise<unknown>>();
vi.mock('@simplewebauthn/browser', () => ({
  startRegistration: (options: { optionsJSON: { challenge: string } }) =>
    startRegistration(options),
  startAuthentication: (options: { optionsJSON: { challenge: string } }) =>
    startAuthentication(options),
}));

const ownFactors = (factor: TwoFactorState, keys: Passkeys = noPasskeys) => [
  reply(twoFactorEndpoint, factor),
  reply(passkeysEndpoint, keys),
];
const open = (...replies: readonly HttpHandler[]) => renderInApp(<TwoFactorSection />, { replies });

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

const fill = (label: string, value: string) => fillIn(screen.getByLabelText(label), value);
const press = (name: string) => person.click(screen.getByRole('button', { name }));

test('enables the app with its secret, the password and a code, then shows the backup codes once', async () => {
  await open(
    ...ownFactors(off),
    reply(beginTwoFactorEndpoint, {
      secret: 'ABCDEFGHIJKLMNOP',
      uri: 'otpauth://totp/Patch%20Repository:jane?secret=ABCDEFGHIJKLMNOP',
    }),
    reply(enableTwoFactorEndpoint, { backupCodes: codes }),
  );
  await screen.findByText('Off: you sign in with your password only.');
  await press('Enable');
  expect(await screen.findByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
  // The pressed button is gone.
  expect(document.activeElement).toBe(
    screen.getByRole('list', { name: 'Set up the authenticator app' }),
  );
  const drawn = screen.getByRole('img', { name: 'QR code with the authenticator secret' });
  await waitFor(() => expect(drawn.querySelector('svg path')).toBeTruthy());
  await press('Enable');
  expect(await screen.findByText('Code field is required')).toBeTruthy();
  await fill('Current password', 'Correct-Horse-7');
  await fill('Code', ' 123456 ');
  await press('Enable');
  const list = await screen.findByRole('list', { name: 'Backup codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  expect(bodiesSentTo(enableTwoFactorEndpoint)).toEqual([
    { password: 'Correct-Horse-7', otp: '123456' },
  ]);
  expect(
    decodeURIComponent(screen.getByRole('link', { name: 'Download' }).getAttribute('href') ?? ''),
  ).toContain(codes.join('\n'));
  await press('I have saved them');
  expect(screen.queryByText(codes[0] ?? '')).toBeNull();
});

test('disables the app and renews the backup codes', async () => {
  await open(
    ...ownFactors(on),
    reply(proofFactorsEndpoint, app),
    reply(disableTwoFactorEndpoint, { message: 'The second factor is switched off.' }),
    reply(renewBackupCodesEndpoint, { backupCodes: codes }),
  );
  await screen.findByText('9 backup codes left.', { exact: false });
  await press('New backup codes');
  await screen.findByLabelText('Current password');
  await fill('Current password', 'Correct-Horse-7');
  await fill('Code', '123456');
  await press('Create new codes');
  await screen.findByRole('list', { name: 'Backup codes' });
  await press('I have saved them');
  await press('Disable');
  await screen.findByLabelText('Current password');
  await press('Cancel');
  await press('Disable');
  await screen.findByLabelText('Current password');
  await fill('Current password', 'Correct-Horse-7');
  await fill('Code', '654321');
  await press('Disable');
  await waitFor(() =>
    expect(bodiesSentTo(disableTwoFactorEndpoint)).toEqual([
      { password: 'Correct-Horse-7', otp: '654321' },
    ]),
  );
});

test('warns about few backup codes', async () => {
  await open(...ownFactors({ ...on, backupCodesLeft: 1 }));
  expect(await screen.findByText(/Create new backup codes before you run out/)).toBeTruthy();
  expect(screen.getByText('One backup code left.', { exact: false })).toBeTruthy();
});

test('explains to users of an identity provider that this factor is additional', async () => {
  signIn('token', user, 'sso');
  await open(...ownFactors(off));
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
  pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
};

test('adds a named passkey; the first one comes with backup codes', async () => {
  await open(
    ...ownFactors(off),
    reply(beginPasskeyEndpoint, { options: creation }),
    reply(addPasskeyEndpoint, { passkey: laptop, backupCodes: codes }),
  );
  await person.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await fill('Name', ' Laptop ');
  await press('Add passkey');
  await screen.findByRole('list', { name: 'Backup codes' });
  expect(startRegistration.mock.calls[0]?.[0].optionsJSON.challenge).toBe('made-for-jane');
  expect(bodiesSentTo(addPasskeyEndpoint)).toEqual([{ name: 'Laptop', registration }]);
});

test('shows that the browser created no passkey, and sends nothing', async () => {
  startRegistration.mockRejectedValue(Object.assign(new Error('no'), { name: 'NotAllowedError' }));
  await open(...ownFactors(off), reply(beginPasskeyEndpoint, { options: creation }));
  await person.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await press('Add passkey');
  expect(
    await screen.findByText(
      'The passkey was not created: the request was cancelled or took too long. Try again.',
    ),
  ).toBeTruthy();
  expect(sentTo(addPasskeyEndpoint)).toEqual([]);
});

test('removes a passkey after confirmation', async () => {
  await open(
    ...ownFactors(
      { ...off, backupCodesLeft: 10 },
      {
        objList: [laptop, { ...laptop, id: 8, name: 'Key', host: 'old.example.org' }],
        totalCount: 2,
        unavailable: null,
      },
    ),
    reply(removePasskeyEndpoint, { message: 'removed' }),
  );
  expect(
    await screen.findByText('can be used only at old.example.org', { exact: false }),
  ).toBeTruthy();
  await press('Remove the passkey Laptop');
  await person.click(await screen.findByRole('button', { name: 'Remove it' }));
  await waitFor(() =>
    expect(sentTo(removePasskeyEndpoint)).toMatchObject([{ path: '/user/twofactor/passkeys/7' }]),
  );
});

test('explains why browsers accept no passkey here', async () => {
  const unavailable = 'Passkeys need a base URL with a host name; it has the IP address 192.0.2.7.';
  await open(...ownFactors(off, { ...noPasskeys, unavailable }));
  expect(await screen.findByText(unavailable)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});
