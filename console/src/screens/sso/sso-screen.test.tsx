import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { SsoScreen } from './sso-screen.tsx';

const config = {
  enabled: true,
  label: 'Example',
  issuer: 'https://login.example.org',
  clientId: 'patch',
  scopes: 'openid profile email',
  nameClaim: 'preferred_username',
  allowedDomains: ['example.org'],
  createUsers: false,
  linkByEmail: true,
};
const redirectUri = 'https://patch.example.org/api/sso/callback';
const saved = {
  message: 'single sign-on configuration saved',
  config: { ...config, clientSecretSet: true },
  redirectUri,
};
const stages = [
  { stage: 'discovery', outcome: 'passed', words: 'It says what it is.', advice: '' },
  {
    stage: 'abilities',
    outcome: 'failed',
    words: 'It does not know the scope groups.',
    advice: 'Choose others.',
  },
  { stage: 'keys', outcome: 'skipped', words: 'Not tried.', advice: '' },
  { stage: 'client', outcome: 'skipped', words: 'Not tried.', advice: '' },
];

beforeEach(() =>
  signIn('token', {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  }),
);
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const open = (reply: object = saved) =>
  renderInRouter(<SsoScreen />, {
    '/ssoconfig': reply,
    '/ssoconfig/test': { success: false, stages },
  });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
/** The form knows a moment later that something was changed. */
const save = async () => {
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false),
  );
  press('Save');
};
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

test('what is kept stands in the form, the secret does not, and stays when it is not typed', async () => {
  const { asked } = await open();
  await screen.findByText(redirectUri);
  expect(field('Issuer').value).toBe(config.issuer);
  expect(field('Client secret').value).toBe('');
  expect(screen.getByText(/••• set/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  fireEvent.change(field('Sign in with …'), { target: { value: 'Example Corporation' } });
  await save();
  await waitFor(() =>
    expect(asked.find(({ body }) => body !== null)?.body).toEqual({
      ...config,
      label: 'Example Corporation',
    }),
  );
});

test('a new secret is sent; a public client has none', async () => {
  const { asked } = await open();
  await screen.findByText(redirectUri);
  const sent = () =>
    asked
      .filter(({ body }) => body !== null)
      .map(({ body }) => (body as { clientSecret?: string }).clientSecret);
  fireEvent.change(field('Client secret'), { target: { value: 'typed' } });
  await save();
  await waitFor(() => expect(sent()).toEqual(['typed']));
  await waitFor(() => expect(field('Client secret').value).toBe(''));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Public client without a secret' }));
  await save();
  await waitFor(() => expect(sent()).toEqual(['typed', '']));
});

test('what is wrong or missing is told at its field', async () => {
  const { asked } = await open({ config: null, redirectUri });
  await screen.findByText('Not configured yet');
  fireEvent.change(field('Issuer'), { target: { value: 'http://login.example.org' } });
  fireEvent.change(field('Scopes'), { target: { value: 'email' } });
  await save();
  expect(await screen.findByText(/Issuer must be the https address/)).toBeTruthy();
  expect(screen.getByText("Scopes must contain 'openid'")).toBeTruthy();
  expect(screen.getByText('Client ID field is required')).toBeTruthy();
  expect(asked.every(({ body }) => body === null)).toBe(true);
});

test('a test says how far it got, and what to do', async () => {
  await open();
  await screen.findByText(redirectUri);
  press('Test');
  expect(await screen.findByText('This configuration does not work.')).toBeTruthy();
  expect(screen.getByText('It does not know the scope groups.')).toBeTruthy();
  expect(screen.getByText('Choose others.')).toBeTruthy();
});
