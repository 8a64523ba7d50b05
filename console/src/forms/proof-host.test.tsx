import { createApiKeyEndpoint } from '@patch/contract/api-key-endpoints.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callApi } from '../api/call-api.ts';
import { newQueryClient } from '../api/query-client.ts';
import { signIn, signOut } from '../api/session.ts';
import { ProofHost } from './proof-host.tsx';

const user = {
  id: 1,
  name: 'jane',
  email: '',
  userType: 'Admin',
  timezone: 'UTC',
  mustChangePassword: false,
} as const;
const made = {
  id: 1,
  name: 'One',
  prefix: 'prk_',
  scopes: ['read'],
  ownerId: 1,
  ownerName: 'jane',
  createdAt: 0,
  expiresAt: 1,
  lastUsedAt: null,
  key: 'prk_x',
};
const problem = (status: number, code: string, userMessage: string) =>
  new Response(JSON.stringify({ userMessage, code, requestId: 'r' }), { status });
vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: async ({ optionsJSON }: { optionsJSON: { challenge: string } }) => ({
    signed: optionsJSON.challenge,
  }),
}));
let proven = false;
let needsCode = false;
let choices: object = {};
const proofs: unknown[] = [];

beforeEach(() => {
  proven = false;
  needsCode = false;
  choices = { app: true, backupCodesLeft: 10, passkey: null };
  proofs.length = 0;
  signIn('token', user);
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address.endsWith('/me/proof/secondfactor')) return new Response(JSON.stringify(choices));
    if (!address.endsWith('/me/proof'))
      return proven
        ? new Response(JSON.stringify(made), { status: 201 })
        : problem(403, 'reauthentication_required', 'Prove first that it is you.');
    const body = JSON.parse(String(init.body)) as {
      password: string;
      otp?: string;
      passkey?: object;
    };
    proofs.push(body);
    if (body.password !== 'right')
      return problem(422, 'wrong_password', 'The current password is not right.');
    if (needsCode && body.otp === undefined && body.passkey === undefined)
      return problem(422, 'otp_required', 'Enter the code.');
    proven = true;
    return new Response(JSON.stringify({ provenUntil: 1 }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const newKey = () =>
  callApi(createApiKeyEndpoint, { body: { name: 'One', scopes: ['read'], expiresAt: 1 } });
const renderHost = () =>
  render(
    <QueryClientProvider client={newQueryClient()}>
      <ProofHost />
    </QueryClientProvider>,
  );
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('asks for the password, says when it is wrong, and makes the call once more when it is right', async () => {
  renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  fill('Current password', 'wrong');
  press('Confirm');
  expect(await screen.findByText('The current password is not right.')).toBeTruthy();
  fill('Current password', 'right');
  press('Confirm');
  expect((await call).key).toBe('prk_x');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('asks for a code where there is a second factor', async () => {
  needsCode = true;
  renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  fill('Current password', 'right');
  press('Confirm');
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: ' 123456 ' } });
  press('Confirm');
  expect((await call).key).toBe('prk_x');
  expect(proofs.at(-1)).toEqual({ password: 'right', otp: '123456' });
});

test('asks for the passkey where there is one, or for a code instead', async () => {
  needsCode = true;
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  const passkey = {
    challenge: 'sign-this',
    rpId: 'localhost',
    allowCredentials: [{ id: 'AAAA', type: 'public-key' }],
  };
  choices = { app: false, backupCodesLeft: 10, passkey };
  renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  fill('Current password', 'right');
  press('Confirm');
  await screen.findByText('Your browser asks for your passkey next.');
  press('Use a code instead');
  expect(await screen.findByText('One of your backup codes.')).toBeTruthy();
  press('Use a passkey instead');
  press('Confirm');
  expect((await call).key).toBe('prk_x');
  expect(proofs.at(-1)).toEqual({ password: 'right', passkey: { signed: 'sign-this' } });
});

test('a person who cancels is told what was refused', async () => {
  renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  press('Cancel');
  await expect(call).rejects.toMatchObject({ code: 'reauthentication_required' });
});

test('leads a person of an identity provider back to it', async () => {
  signIn('token', user, 'sso');
  renderHost();
  const call = newKey();
  const link = await screen.findByRole('link', { name: 'Go to the identity provider' });
  expect(link.getAttribute('href')).toBe('/api/sso/start?fresh=true&redirectFrom=%2F');
  press('Cancel');
  await expect(call).rejects.toMatchObject({ status: 403 });
});
