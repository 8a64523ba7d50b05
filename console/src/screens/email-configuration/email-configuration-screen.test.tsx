import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { EmailConfigurationScreen } from './email-configuration-screen.tsx';
import { configOfDraft, draftOfConfig } from './email-draft.ts';

const config = {
  server: 'smtp.example.org',
  port: 587,
  protocol: 'smtp' as const,
  securityType: 'starttls' as const,
  email: 'patch@example.org',
  replyToEmail: '',
  toEmailId: 'ops@example.org,boss@example.org',
  senderName: 'Patch Repository',
  passwordSet: true,
};
const stage = (name: string, outcome: string, words: string, advice = '') => ({
  stage: name,
  outcome,
  words,
  advice,
});
const failedTest = {
  success: false,
  message: 'Unable to connect with provided details.',
  testedAt: 1,
  stages: [
    stage('resolve', 'passed', 'smtp.example.org is 192.0.2.1.'),
    stage('connect', 'failed', 'Port 587 cannot be reached.', 'Check the port.'),
  ],
};

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

const open = (emailconfig: object | null, lastTest: object | null = null) =>
  renderInRouter(<EmailConfigurationScreen />, {
    '/emailconfig': emailconfig,
    '/emailconfig/lasttest': lastTest,
    '/emailconfig/testconnection': failedTest,
    '/emailconfig/deliveries': { objList: [], totalCount: 0 },
  });

test('the recipients are a list here and joined by commas on the wire; a password that is not typed is not sent', () => {
  const draft = draftOfConfig(config);
  expect(draft.toEmailId).toEqual(['ops@example.org', 'boss@example.org']);
  const { passwordSet: _kept, ...wire } = config;
  expect(configOfDraft(draft)).toEqual(wire);
  expect(configOfDraft({ ...draft, password: 'typed' })).toMatchObject({ password: 'typed' });
  expect(configOfDraft({ ...draft, withoutPassword: true })).toMatchObject({ password: '' });
});

test('what is kept stands in the form, the password does not; Save waits for a change', async () => {
  const { asked } = await open(config);
  const server = await screen.findByLabelText<HTMLInputElement>('Server');
  expect(server.value).toBe('smtp.example.org');
  expect(screen.getByLabelText<HTMLInputElement>(/^Password/).value).toBe('');
  expect(screen.getByText(/••• set/)).toBeTruthy();
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  fireEvent.change(server, { target: { value: 'mail.example.org' } });
  expect(await screen.findByText('Not saved yet')).toBeTruthy();
  fireEvent.click(save);
  await waitFor(() =>
    expect(asked.find(({ body }) => body !== null)?.body).toMatchObject({
      server: 'mail.example.org',
      toEmailId: config.toEmailId,
    }),
  );
});

test('for another server the password is asked for at its field', async () => {
  await open(config);
  const server = await screen.findByLabelText('Server');
  const refusal = {
    userMessage: 'Enter the one for mail.example.org.',
    code: 'password_needed',
    requestId: 'r7',
  };
  const others = globalThis.fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) =>
    init.method === 'POST'
      ? new Response(JSON.stringify(refusal), { status: 422 })
      : others(address, init),
  );
  fireEvent.change(server, { target: { value: 'mail.example.org' } });
  await screen.findByText('Not saved yet');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const told = await screen.findByText('Enter the one for mail.example.org.');
  const password = screen.getByLabelText(/^Password/);
  expect(told.closest('.ant-form-item')?.contains(password)).toBe(true);
  await waitFor(() => expect(document.activeElement).toBe(password));
});

test('a test tells how far it got, and what to do', async () => {
  await open(config);
  await screen.findByLabelText('Server');
  fireEvent.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText('Unable to connect with provided details.')).toBeTruthy();
  expect(screen.getByText('Check the port.')).toBeTruthy();
});

test('what is missing is told at its field', async () => {
  await open(null, failedTest);
  expect(await screen.findByText('Check the port.')).toBeTruthy();
  fireEvent.change(await screen.findByLabelText('Server'), { target: { value: ' ' } });
  fireEvent.blur(screen.getByLabelText('Server'));
  expect(await screen.findByText('Server field is required')).toBeTruthy();
});
