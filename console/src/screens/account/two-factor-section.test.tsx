import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

const off = { enabled: false, enabledAt: null, backupCodesLeft: 0 };
const on = { enabled: true, enabledAt: Date.UTC(2026, 10, 21), backupCodesLeft: 9 };
const codes = Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-000${n}`);
const user = { id: 1, name: 'jane', email: '', userType: 'Standard', timezone: 'UTC', mustChangePassword: false } as const;

beforeEach(() => signIn('token', user));
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('is switched on with the secret in the app, the password and a code; then the backup codes are shown once', async () => {
  const answers: Record<string, object> = {
    '/user/twofactor': off,
    '/user/twofactor/secret': { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Patch%20Repository:jane?secret=ABCDEFGHIJKLMNOP' },
  };
  const { asked } = await renderInRouter(<TwoFactorSection />, answers);
  await screen.findByText('Off: your password alone signs you in.');
  press('Switch on');
  expect(await screen.findByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
  // The button that was pressed is gone.
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Switching the second factor on' }));
  const drawn = screen.getByRole('img', { name: 'The secret for the authenticator app, to scan' });
  await waitFor(() => expect(drawn.querySelector('svg path')).toBeTruthy());
  press('Switch on');
  expect(await screen.findByText('Code field is required')).toBeTruthy();
  fill('Current password', 'Correct-Horse-7');
  fill('Code', ' 123456 ');
  answers['/user/twofactor'] = { backupCodes: codes };
  press('Switch on');
  const list = await screen.findByRole('list', { name: 'Backup codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(codes);
  expect(asked.find(({ path, body }) => path === '/user/twofactor' && body !== null)?.body).toEqual({
    password: 'Correct-Horse-7',
    otp: '123456',
  });
  expect(decodeURIComponent(screen.getByRole('link', { name: 'Download' }).getAttribute('href') ?? '')).toContain(codes.join('\n'));
  press('I have kept them');
  expect(screen.queryByText(codes[0] ?? '')).toBeNull();
});

test('what is refused stands at its field', async () => {
  await renderInRouter(<TwoFactorSection />, { '/user/twofactor': on });
  expect(await screen.findByText('9 backup codes are left.', { exact: false })).toBeTruthy();
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(JSON.stringify({ userMessage: 'The code is not right.', code: 'wrong_code', requestId: 'r' }), { status: 422 }),
  );
  press('Switch off');
  fill('Current password', 'Correct-Horse-7');
  fill('Code', '000000');
  press('Switch off');
  expect(await screen.findByText('The code is not right.')).toBeTruthy();
  await waitFor(() => expect(screen.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true'));
});

test('is switched off, and backup codes are made anew', async () => {
  const { asked } = await renderInRouter(<TwoFactorSection />, {
    '/user/twofactor': on,
    '/user/twofactor/off': { message: 'The second factor is switched off.' },
    '/user/twofactor/backupcodes': { backupCodes: codes },
  });
  await screen.findByText('9 backup codes are left.', { exact: false });
  press('New backup codes');
  fill('Current password', 'Correct-Horse-7');
  fill('Code', '123456');
  press('Make new codes');
  await screen.findByRole('list', { name: 'Backup codes' });
  press('I have kept them');
  press('Switch off');
  press('Cancel');
  press('Switch off');
  fill('Current password', 'Correct-Horse-7');
  fill('Code', '654321');
  press('Switch off');
  await waitFor(() =>
    expect(asked.find(({ path }) => path === '/user/twofactor/off')?.body).toEqual({ password: 'Correct-Horse-7', otp: '654321' }),
  );
});

test('few backup codes are a warning', async () => {
  await renderInRouter(<TwoFactorSection />, { '/user/twofactor': { ...on, backupCodesLeft: 1 } });
  expect(await screen.findByText(/Make new backup codes before the last ones are used up/)).toBeTruthy();
  expect(screen.getByText('One backup code is left.', { exact: false })).toBeTruthy();
});

test('who signed in with an identity provider reads what this factor is beside it', async () => {
  signIn('token', user, 'sso');
  await renderInRouter(<TwoFactorSection />, { '/user/twofactor': off });
  expect(await screen.findByText(/This one is asked for in addition/)).toBeTruthy();
});
