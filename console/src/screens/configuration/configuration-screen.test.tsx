import { usualSettings } from '@patch/contract/settings-endpoints.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { about, become } from '../../api/about.ts';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { ConfigurationScreen } from './configuration-screen.tsx';

const policy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
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
  become({ name: 'Patch Repository', timeZone: null });
});

const settings = { ...usualSettings, sessionIdleMinutes: 20 };
const open = (more: object = {}) =>
  renderInRouter(<ConfigurationScreen />, {
    '/settings': { settings, fixed: { sessionIdleMinutes: 'SESSION_IDLE_MINUTES' } },
    '/user/passwordpolicy': policy,
    ...more,
  });
const section = async (name: string) => within(await screen.findByRole('region', { name }));

test('each part is saved by itself, and only what was not settled by the environment is sent', async () => {
  const { asked } = await open();
  const sessions = await section('Sessions');
  expect(sessions.getByLabelText<HTMLInputElement>('Ends when idle for').disabled).toBe(true);
  expect(sessions.getByText('Set by the SESSION_IDLE_MINUTES environment variable.')).toBeTruthy();
  const save = sessions.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  const most = sessions.getByLabelText('Ends at the latest after');
  fireEvent.change(most, { target: { value: '8' } });
  fireEvent.blur(most);
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({
      path: '/settings',
      body: { sessionMaxHours: 8 },
    }),
  );
});

test('an address that is none is told at its field; none is null; the name holds at once', async () => {
  const { asked } = await open({
    '/settings': {
      settings: { ...settings, name: 'Acme patches', baseUrl: 'https://old.example' },
      fixed: {},
    },
  });
  const general = await section('General');
  const address = general.getByLabelText('Address of the console');
  fireEvent.change(address, { target: { value: 'patch server' } });
  const save = general.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  expect(await general.findByText('Address of the console must be valid URL')).toBeTruthy();
  fireEvent.change(address, { target: { value: '  ' } });
  await act(async () => fireEvent.click(save));
  await waitFor(() =>
    // Nothing else: another administrator may have changed it meanwhile.
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ baseUrl: null }),
  );
  await waitFor(() => expect(about().name).toBe('Acme patches'));
});

test('the password policy is saved with its four settings', async () => {
  const { asked } = await open();
  const passwords = await section('Passwords');
  fireEvent.click(passwords.getByRole('checkbox', { name: 'A special character' }));
  const save = passwords.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await waitFor(() => expect(save.disabled).toBe(false));
  fireEvent.click(save);
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')).toMatchObject({
      path: '/user/passwordpolicy',
      body: { ...policy, enableSpecialChar: false },
    }),
  );
});
