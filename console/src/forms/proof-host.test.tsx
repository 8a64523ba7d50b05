import { createApiKeyEndpoint } from '@patch/contract/accounts/api-key-endpoints.ts';
import type { FactorChoices } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { proofFactorsEndpoint } from '@patch/contract/accounts/second-factor-endpoints.ts';
import { proveIdentityEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { callApi } from '../api/call-api.ts';
import { signIn, signOut } from '../api/session.ts';
import { addReplies, refusal, reply } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signedInUser } from '../testing/sign-in-as.ts';
import { ProofHost } from './proof-host.tsx';

const createdKeys: z.output<typeof createApiKeyEndpoint.reply> = {
  id: 1,
  name: 'One',
  prefix: 'prk_',
  scopes: ['read'],
  ownerId: 1,
  ownerName: 'jane',
  createdAt: 0,
  expiresAt: 1,
  lastUsedAt: null,
  enrolment: null,
  key: 'prk_x',
};
vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: async ({ optionsJSON }: { optionsJSON: { challenge: string } }) => ({
    signed: optionsJSON.challenge,
  }),
}));
let proven = false;
let needsCode = false;
let choices: FactorChoices;
const proofs: unknown[] = [];

beforeEach(() => {
  proven = false;
  needsCode = false;
  choices = { app: true, backupCodesLeft: 10, passkey: null };
  proofs.length = 0;
  addReplies(
    reply(proofFactorsEndpoint, () => choices),
    reply(createApiKeyEndpoint, () =>
      proven
        ? createdKeys
        : refusal(403, {
            code: 'reauthentication_required',
            userMessage: 'Prove first that it is you.',
          }),
    ),
    reply(proveIdentityEndpoint, ({ body }) => {
      const { password, otp, passkey } = body as {
        password: string;
        otp?: string;
        passkey?: object;
      };
      proofs.push(body);
      if (password !== 'right')
        return refusal(422, {
          code: 'wrong_password',
          userMessage: 'The current password is not right.',
        });
      if (needsCode && otp === undefined && passkey === undefined)
        return refusal(422, { code: 'otp_required', userMessage: 'Enter the code.' });
      proven = true;
      return { provenUntil: 1 };
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const newKey = () =>
  callApi(createApiKeyEndpoint, { body: { name: 'One', scopes: ['read'], expiresAt: 1 } });
const renderHost = () => renderInApp(<ProofHost />, { session: { name: 'jane' } });
const fill = (label: string, value: string) => fillIn(screen.getByLabelText(label), value);
const press = (name: string) => person.click(screen.getByRole('button', { name }));

test('asks for the password, shows when it is wrong, and repeats the call when it is right', async () => {
  await renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await fill('Current password', 'wrong');
  await press('Confirm');
  expect(await screen.findByText('The current password is not right.')).toBeTruthy();
  await fill('Current password', 'right');
  await press('Confirm');
  expect((await call).key).toBe('prk_x');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each(['', '   '])('requires a password when it is empty (%j)', async (typed) => {
  await renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await fill('Current password', typed);
  await press('Confirm');
  expect(await screen.findByText('Current password field is required')).toBeTruthy();
  expect(proofs).toEqual([]);
  await Promise.all([expect(call).rejects.toMatchObject({ status: 403 }), press('Cancel')]);
});

test('stays open when the user clicks beside it', async () => {
  await renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await person.click(document.querySelector('.ant-modal-wrap') as HTMLElement);
  expect(screen.getByLabelText('Current password')).toBeTruthy();
  await Promise.all([expect(call).rejects.toMatchObject({ status: 403 }), press('Cancel')]);
});

test('asks for a code when the account has a second factor', async () => {
  needsCode = true;
  await renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await fill('Current password', 'right');
  await press('Confirm');
  await fillIn(await screen.findByLabelText('Code'), ' 123456 ');
  await press('Confirm');
  expect((await call).key).toBe('prk_x');
  expect(proofs.at(-1)).toEqual({ password: 'right', otp: '123456' });
});

test('asks for the passkey when the account has one, or for a code instead', async () => {
  needsCode = true;
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  const passkey = {
    challenge: 'sign-this',
    rpId: 'localhost',
    allowCredentials: [{ id: 'AAAA', type: 'public-key' as const }],
  };
  choices = { app: false, backupCodesLeft: 10, passkey };
  await renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await fill('Current password', 'right');
  await press('Confirm');
  await screen.findByText('Your browser asks for your passkey next.');
  await press('Use a code instead');
  expect(await screen.findByText('One of your backup codes.')).toBeTruthy();
  await press('Use a passkey instead');
  await press('Confirm');
  expect((await call).key).toBe('prk_x');
  expect(proofs.at(-1)).toEqual({ password: 'right', passkey: { signed: 'sign-this' } });
});

test('passes the refusal on when the user cancels', async () => {
  await renderHost();
  const call = newKey();
  await screen.findByRole('dialog', { name: 'Confirm your identity' });
  await Promise.all([
    expect(call).rejects.toMatchObject({ code: 'reauthentication_required' }),
    press('Cancel'),
  ]);
});

test('sends users of an identity provider back to it', async () => {
  await renderHost();
  signIn('token', signedInUser({ name: 'jane' }), 'sso');
  const call = newKey();
  const link = await screen.findByRole('link', { name: 'Go to the identity provider' });
  expect(link.getAttribute('href')).toBe('/api/sso/start?fresh=true&redirectFrom=%2F');
  await Promise.all([expect(call).rejects.toMatchObject({ status: 403 }), press('Cancel')]);
});
