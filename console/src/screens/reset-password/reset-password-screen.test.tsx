import { specified } from '@patch/catalogue/testing/specified.ts';
import {
  resetLinkEndpoint,
  resetPasswordEndpoint,
} from '@patch/contract/accounts/password-reset-endpoints.ts';
import { ssoStatusEndpoint } from '@patch/contract/accounts/sso-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { expect, test } from 'vitest';
import { addReplies, refuse, reply, respond, sentCalls } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildPasswordPolicy } from '../../testing/service-values.ts';

const id = 'x'.repeat(43);
const policy = buildPasswordPolicy();
const sent = () => sentCalls().flatMap(({ method, body }) => (method === 'GET' ? [] : [body]));
const validLink = reply(resetLinkEndpoint, { name: 'Stan', policy, apiKeys: [] });

async function open(...replies: readonly HttpHandler[]) {
  return renderApp({
    path: `/reset-password/${id}`,
    replies: [
      ...replies,
      validLink,
      reply(resetPasswordEndpoint, { message: 'Password has been reset successfully.' }),
      reply(ssoStatusEndpoint, { enabled: false, label: '' }),
    ],
  });
}

test('sets a new password with a valid link, and leads to the login page', async () => {
  const { router } = await open();
  await fillIn(
    await screen.findByLabelText('New password', {}, { timeout: 10_000 }),
    'Another-Horse-8',
  );
  await fillIn(screen.getByLabelText('Confirm password'), 'Another-Horse-9');
  await person.click(screen.getByRole('button', { name: 'Set the password' }));
  expect(await screen.findByText('Confirm password confirmation does not match')).toBeTruthy();
  expect(sent()).toEqual([]);
  await fillIn(screen.getByLabelText('Confirm password'), 'Another-Horse-8');
  await person.click(screen.getByRole('button', { name: 'Set the password' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(sent()).toEqual([{ newPassword: 'Another-Horse-8' }]);
  expect(await screen.findByText(specified.catalogueMessages.passwordReset)).toBeTruthy();
});

test('shows why a link is no longer valid', async () => {
  await open(
    refuse(resetLinkEndpoint, 404, {
      userMessage: 'This link was used already.',
      code: 'reset_link_over',
    }),
  );
  expect(
    await screen.findByText('This link was used already.', {}, { timeout: 10_000 }),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Go to login' })).toBeTruthy();
});

test('reports an unreachable service without judging the link, and checks it again', async () => {
  await open(
    respond(
      resetLinkEndpoint,
      () => new Response('<html>Gateway Time-out</html>', { status: 504 }),
    ),
  );
  expect(
    await screen.findByText('The link could not be loaded', {}, { timeout: 10_000 }),
  ).toBeTruthy();
  expect(screen.queryByText('This link is no longer valid')).toBeNull();
  addReplies(validLink);
  await person.click(screen.getByRole('button', { name: 'Reload' }));
  expect(await screen.findByLabelText('New password')).toBeTruthy();
});

test('shows a loading page while the link is checked', async () => {
  await open(respond(resetLinkEndpoint, () => new Promise(() => {})));
  expect(await screen.findByText('Loading the page', {}, { timeout: 10_000 })).toBeTruthy();
});
