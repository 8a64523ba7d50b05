import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { EmailConfigurationScreen } from './email-configuration-screen.tsx';

const config = {
  server: 'smtp.example.org',
  port: 587,
  protocol: 'smtp',
  securityType: 'starttls',
  email: 'patch@example.org',
  replyToEmail: '',
  toEmailId: 'ops@example.org',
  senderName: 'Patch Repository',
  passwordSet: true,
};

beforeEach(() =>
  signIn('token', {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
  } as never),
);
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

test('recipients are tags: each a valid address, none twice, joined by commas when they are saved', async () => {
  const { asked } = await renderInRouter(<EmailConfigurationScreen />, {
    '/emailconfig': config,
    'POST /emailconfig': { config, message: 'email server configuration saved' },
    '/emailconfig/lasttest': null,
    '/emailconfig/deliveries': { objList: [], totalCount: 0 },
  });
  const recipients = await screen.findByRole('combobox', { name: 'Recipients' });
  const enter = (text: string) => {
    fireEvent.change(recipients, { target: { value: text } });
    fireEvent.keyDown(recipients, { key: 'Enter' });
  };
  expect(screen.getByTitle('ops@example.org')).toBeTruthy();
  enter('nobody');
  expect(screen.getByText('Recipients field must be a valid email')).toBeTruthy();
  enter('OPS@example.org');
  expect(screen.getByText('The same value already exists for Recipients')).toBeTruthy();
  enter('boss@example.org, night@example.org');
  fireEvent.click(screen.getByRole('button', { name: 'Remove boss@example.org' }));
  await screen.findByText('Not saved yet');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(asked.find(({ body }) => body !== null)?.body).toMatchObject({
      toEmailId: 'ops@example.org,night@example.org',
    }),
  );
});
