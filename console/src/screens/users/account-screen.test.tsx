import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { AccountScreen } from './account-screen.tsx';

const stan = {
  id: 2,
  name: 'Stan',
  email: 'stan@example.org',
  userType: 'Standard' as const,
  timezone: 'UTC',
  mustChangePassword: false,
};
const none = { objList: [], totalCount: 0 };
const sessions = {
  objList: [
    {
      id: 7,
      address: '192.0.2.8',
      userAgent: '',
      startedAt: 0,
      lastUsedAt: 0,
      expiresAt: 9,
      current: true,
    },
  ],
  totalCount: 1,
};

beforeEach(() => signIn('token', stan));
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

it('shows who one is and where one is signed in; the session in use is not ended here', async () => {
  await renderInRouter(<AccountScreen />, { '/me/sessions': sessions, '/me/apikeys': none });
  expect(await screen.findByText('this one')).toBeTruthy();
  expect(screen.getByText('stan@example.org')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^End/ })).toBeNull();
});

it('makes an API key with the scopes that are open, and shows it once', async () => {
  const key = `prk_${'x'.repeat(43)}`;
  const made = {
    id: 1,
    name: 'Reports',
    prefix: 'prk_xxxxxx',
    scopes: ['read'],
    ownerId: 2,
    ownerName: 'Stan',
    createdAt: 0,
    expiresAt: 1,
    lastUsedAt: null,
    key,
  };
  const answers: Record<string, object> = {
    '/me/sessions': sessions,
    '/me/apikeys': { ...none, ...made },
  };
  const { asked } = await renderInRouter(<AccountScreen />, answers);
  fireEvent.click(await screen.findByRole('button', { name: 'New key' }));
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Reports' } });
  expect(screen.getAllByRole('checkbox')).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Create key' }));
  const shown = await screen.findByText(key);
  expect(document.activeElement).toBe(shown.parentElement);
  expect(screen.getByText('Copy it now: it is not shown again.')).toBeTruthy();
  const sent = asked.find(({ body }) => body !== null)?.body as { expiresAt: number };
  expect(sent).toMatchObject({ name: 'Reports', scopes: ['read'] });
  expect(sent.expiresAt).toBeGreaterThan(Date.now());
});

it.each([
  ['in the past', '01/01/2020 10:00 AM', 'The expiry is in the past. Choose a later time.'],
  [
    'more than a year ahead',
    '01/01/2090 10:00 AM',
    'A key is valid for at most one year. Choose an earlier time.',
  ],
])('refuses an expiry %s beside the field, in the words of the server', async (_, typed, words) => {
  const { asked } = await renderInRouter(<AccountScreen />, {
    '/me/sessions': sessions,
    '/me/apikeys': none,
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New key' }));
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Reports' } });
  const expires = screen.getByLabelText('Expires');
  fireEvent.mouseDown(expires);
  fireEvent.change(expires, { target: { value: typed } });
  fireEvent.keyDown(expires, { key: 'Enter', code: 'Enter' });
  fireEvent.click(screen.getByRole('button', { name: 'Create key' }));
  const said = await screen.findByText(words);
  expect(said.closest('.ant-form-item')?.contains(expires)).toBe(true);
  expect(asked.filter(({ body }) => body !== null)).toEqual([]);
});
