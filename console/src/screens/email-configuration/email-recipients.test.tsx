import {
  emailConfigEndpoint,
  lastEmailTestEndpoint,
  mailDeliveriesEndpoint,
  saveEmailConfigEndpoint,
} from '@patch/contract/mail-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentCalls } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { EmailConfigurationScreen } from './email-configuration-screen.tsx';

const config = {
  server: 'smtp.example.org',
  port: 587,
  protocol: 'smtp' as const,
  securityType: 'starttls' as const,
  email: 'patch@example.org',
  replyToEmail: '',
  toEmailId: 'ops@example.org',
  senderName: 'Patch Repository',
  passwordSet: true,
};

test('accepts valid recipients without duplicates, and joins them with commas', async () => {
  await renderInApp(<EmailConfigurationScreen />, {
    session: {},
    replies: [
      reply(emailConfigEndpoint, config),
      reply(saveEmailConfigEndpoint, { config, message: 'email server configuration saved' }),
      reply(lastEmailTestEndpoint, null),
      reply(mailDeliveriesEndpoint, { objList: [], totalCount: 0 }),
    ],
  });
  const recipients = await screen.findByRole('combobox', { name: 'Recipients' });
  const enter = async (text: string) => {
    await fillIn(recipients, text);
    await pressKey('Enter', recipients);
  };
  expect(screen.getByTitle('ops@example.org')).toBeTruthy();
  await enter('nobody');
  expect(screen.getByText('Recipients field must be a valid email')).toBeTruthy();
  await enter('OPS@example.org');
  expect(screen.getByText('The same value already exists for Recipients')).toBeTruthy();
  await enter('boss@example.org, night@example.org');
  await person.click(screen.getByRole('button', { name: 'Remove boss@example.org' }));
  await screen.findByText('Not saved yet');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sentCalls().find(({ body }) => body !== null)?.body).toMatchObject({
      toEmailId: 'ops@example.org,night@example.org',
    }),
  );
});
