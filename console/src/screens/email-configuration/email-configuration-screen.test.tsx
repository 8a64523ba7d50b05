import type { MailTest } from '@patch/contract/operations/mail-endpoints.ts';
import {
  emailConfigEndpoint,
  lastEmailTestEndpoint,
  mailDeliveriesEndpoint,
  saveEmailConfigEndpoint,
  testEmailConfigEndpoint,
} from '@patch/contract/operations/mail-endpoints.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { addReplies, bodiesSentTo, refuse, reply, sentCalls } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildEmailConfig } from '../../testing/service-values.ts';
import { EmailConfigurationScreen } from './email-configuration-screen.tsx';
import { toEmailConfig, toEmailDraft } from './email-form.tsx';

type EmailConfig = z.output<typeof emailConfigEndpoint.reply>;

const config = buildEmailConfig({ toEmailId: 'ops@example.org,boss@example.org' });
const failedTest: MailTest = {
  success: false,
  message: 'Unable to connect with provided details.',
  testedAt: 1,
  stages: [
    { stage: 'resolve', outcome: 'passed', words: 'smtp.example.org is 192.0.2.1.', advice: '' },
    {
      stage: 'connect',
      outcome: 'failed',
      words: 'Port 587 cannot be reached.',
      advice: 'Check the port.',
    },
  ],
};

const open = (current: EmailConfig | null, lastTest: MailTest | null = null) =>
  renderInApp(<EmailConfigurationScreen />, {
    session: {},
    replies: [
      reply(emailConfigEndpoint, current),
      reply(saveEmailConfigEndpoint, { config, message: 'email server configuration saved' }),
      reply(lastEmailTestEndpoint, lastTest),
      reply(testEmailConfigEndpoint, failedTest),
      reply(mailDeliveriesEndpoint, { objList: [], totalCount: 0 }),
    ],
  });

test('joins recipients with commas on the wire, and omits a password that was not typed', () => {
  const draft = toEmailDraft(config);
  expect(draft.toEmailId).toEqual(['ops@example.org', 'boss@example.org']);
  const { passwordSet: _kept, ...wire } = config;
  expect(toEmailConfig(draft)).toEqual(wire);
  expect(toEmailConfig({ ...draft, password: 'typed' })).toMatchObject({ password: 'typed' });
  expect(toEmailConfig({ ...draft, withoutPassword: true })).toMatchObject({ password: '' });
});

test('shows the saved configuration without the password, and enables Save after a change', async () => {
  await open(config);
  const server = await screen.findByLabelText<HTMLInputElement>('Server');
  expect(server.value).toBe('smtp.example.org');
  expect(screen.getByLabelText<HTMLInputElement>(/^Password/).value).toBe('');
  expect(screen.getByText(/••• set/)).toBeTruthy();
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await fillIn(server, 'mail.example.org');
  expect(await screen.findByText('Not saved yet')).toBeTruthy();
  await person.click(save);
  await waitFor(() =>
    expect(sentCalls().find(({ body }) => body !== null)?.body).toMatchObject({
      server: 'mail.example.org',
      toEmailId: config.toEmailId,
    }),
  );
});

test('asks for the password at its field when the server changes', async () => {
  await open(config);
  const server = await screen.findByLabelText('Server');
  addReplies(
    refuse(saveEmailConfigEndpoint, 422, {
      userMessage: 'Enter the one for mail.example.org.',
      code: 'password_needed',
    }),
  );
  await fillIn(server, 'mail.example.org');
  await screen.findByText('Not saved yet');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  const message = await screen.findByText('Enter the one for mail.example.org.');
  const password = screen.getByLabelText(/^Password/);
  expect(message.closest('.ant-form-item')?.contains(password)).toBe(true);
  await waitFor(() => expect(document.activeElement).toBe(password));
});

test('shows how far a test got, and what to do', async () => {
  await open(config);
  await screen.findByLabelText('Server');
  await person.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText('Unable to connect with provided details.')).toBeTruthy();
  expect(screen.getByText('Check the port.')).toBeTruthy();
});

test('accepts valid recipients without duplicates, and joins them with commas', async () => {
  await open(buildEmailConfig());
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
    expect(bodiesSentTo(saveEmailConfigEndpoint)).toMatchObject([
      { toEmailId: 'ops@example.org,night@example.org' },
    ]),
  );
});
