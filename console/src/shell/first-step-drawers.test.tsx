import { passwordPolicyEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { createUserEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import {
  emailConfigEndpoint,
  saveEmailConfigEndpoint,
} from '@patch/contract/operations/mail-endpoints.ts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refuse, reply, sentCalls } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { EmailDrawer, InviteDrawer } from './first-step-drawers.tsx';

test('invites a colleague from the drawer', async () => {
  await renderInApp(<InviteDrawer open onClose={vi.fn()} />, {
    replies: [
      reply(emailConfigEndpoint, null),
      reply(machineGroupsEndpoint, { objList: [], totalCount: 0 }),
      reply(passwordPolicyEndpoint, {
        minLength: 8,
        enableSpecialChar: false,
        enableAlphabetAndNumber: false,
        enableMixCase: false,
      }),
      refuse(createUserEndpoint, 409, { code: 'email_taken', userMessage: 'It is taken.' }),
    ],
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'New user' }));
  await fillIn(drawer.getByLabelText('Name'), 'jane');
  await fillIn(drawer.getByLabelText('Email'), 'jane@example.org');
  await fillIn(await drawer.findByLabelText('Password'), 'First-Horse-11');
  await person.click(drawer.getByRole('button', { name: 'Create user' }));
  expect(await drawer.findByText('It is taken.')).toBeTruthy();
  expect(sentCalls().find(({ path }) => path === '/user')?.body).toMatchObject({ name: 'jane' });
});

test('saves the email configuration from the drawer', async () => {
  await renderInApp(<EmailDrawer open onClose={vi.fn()} />, {
    replies: [
      refuse(saveEmailConfigEndpoint, 422, { code: 'mail_target', userMessage: 'It is refused.' }),
    ],
  });
  const drawer = within(await screen.findByRole('dialog', { name: 'Set up email' }));
  await fillIn(drawer.getByLabelText('Server'), '10.0.0.1');
  await fillIn(drawer.getByLabelText('Sender’s email'), 'patch@example.org');
  await person.click(drawer.getByLabelText('No authentication'));
  await person.click(drawer.getByRole('button', { name: 'Save' }));
  expect(await drawer.findByText('It is refused.')).toBeTruthy();
});
