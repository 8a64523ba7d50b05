import {
  saveSsoConfigEndpoint,
  ssoConfigEndpoint,
  testSsoConfigEndpoint,
} from '@patch/contract/accounts/sso-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { bodiesSentTo, reply } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
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
  config: { ...config, clientSecretSet: true },
  redirectUri,
};
const stages: z.output<typeof testSsoConfigEndpoint.reply>['stages'] = [
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

const open = (current: z.output<typeof ssoConfigEndpoint.reply> = saved) =>
  renderInApp(<SsoScreen />, {
    session: {},
    replies: [
      reply(ssoConfigEndpoint, current),
      reply(saveSsoConfigEndpoint, {
        message: 'single sign-on configuration saved',
        config: saved.config,
      }),
      reply(testSsoConfigEndpoint, { success: false, stages }),
    ],
  });
const press = (name: string) => person.click(screen.getByRole('button', { name }));
/** Waits until the form has noticed the change. */
const save = async () => {
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false),
  );
  await press('Save');
};
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

test('shows the saved configuration without the secret, which stays unless typed', async () => {
  await open();
  await screen.findByText(redirectUri);
  expect(field('Issuer').value).toBe(config.issuer);
  expect(field('Client secret').value).toBe('');
  expect(screen.getByText(/••• set/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await fillIn(field('Sign in with …'), 'Example Corporation');
  await save();
  await waitFor(() =>
    expect(bodiesSentTo(saveSsoConfigEndpoint)).toEqual([
      { ...config, label: 'Example Corporation' },
    ]),
  );
});

test('sends a new secret, and none for a public client', async () => {
  await open();
  await screen.findByText(redirectUri);
  const sent = () =>
    bodiesSentTo(saveSsoConfigEndpoint).map(
      (body) => (body as { clientSecret?: string }).clientSecret,
    );
  await fillIn(field('Client secret'), 'typed');
  await save();
  await waitFor(() => expect(sent()).toEqual(['typed']));
  await waitFor(() => expect(field('Client secret').value).toBe(''));
  await person.click(screen.getByRole('checkbox', { name: 'Public client without a secret' }));
  await save();
  await waitFor(() => expect(sent()).toEqual(['typed', '']));
});

test('shows how far a test got, and what to do', async () => {
  await open();
  await screen.findByText(redirectUri);
  await press('Test');
  expect(await screen.findByText('This configuration does not work.')).toBeTruthy();
  expect(screen.getByText('It does not know the scope groups.')).toBeTruthy();
  expect(screen.getByText('Choose others.')).toBeTruthy();
});
