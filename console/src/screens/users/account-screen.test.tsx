import {
  createApiKeyEndpoint,
  ownApiKeysEndpoint,
} from '@patch/contract/accounts/api-key-endpoints.ts';
import { passkeysEndpoint } from '@patch/contract/accounts/passkey-endpoints.ts';
import { ownSessionsEndpoint } from '@patch/contract/accounts/session-endpoints.ts';
import { meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { twoFactorEndpoint } from '@patch/contract/accounts/two-factor-endpoints.ts';
import { changeOwnProfileEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import { screen } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { expect, it } from 'vitest';
import { bodiesSentTo, reply } from '../../testing/fake-api.ts';
import { fillIn, person, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signedInUser } from '../../testing/sign-in-as.ts';
import { AccountScreen } from './account-screen.tsx';

const standardUser = { name: 'Stan', email: 'stan@example.org', userType: 'Standard' } as const;
const noSessions = { objList: [], totalCount: 0 };
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

const open = (...replies: readonly HttpHandler[]) =>
  renderInApp(<AccountScreen />, {
    session: standardUser,
    replies: [
      ...replies,
      reply(ownSessionsEndpoint, sessions),
      reply(ownApiKeysEndpoint, noSessions),
      reply(twoFactorEndpoint, { enabled: false, enabledAt: null, backupCodesLeft: 0 }),
      reply(passkeysEndpoint, { objList: [], totalCount: 0, unavailable: null }),
    ],
  });
it('shows the user and their sessions, without an end button for the current one', async () => {
  await open();
  expect(await screen.findByText('this one')).toBeTruthy();
  expect(screen.getByText('stan@example.org')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^End/ })).toBeNull();
});

it("changes the user's own name and time zone", async () => {
  await open(
    reply(changeOwnProfileEndpoint, { message: 'Your profile is saved.' }),
    reply(meEndpoint, signedInUser({ ...standardUser, name: 'Stanley' })),
  );
  await fillIn(await screen.findByLabelText('User name'), 'Stanley');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('heading', { name: 'Stanley' })).toBeTruthy();
  expect(bodiesSentTo(changeOwnProfileEndpoint)).toEqual([{ name: 'Stanley', timezone: 'UTC' }]);
});

it('creates an API key with the available scopes, and shows it once', async () => {
  const key = `prk_${'x'.repeat(43)}`;
  const made = {
    id: 1,
    name: 'Reports',
    prefix: 'prk_xxxxxx',
    scopes: ['read' as const],
    ownerId: 2,
    ownerName: 'Stan',
    createdAt: 0,
    expiresAt: 1,
    lastUsedAt: null,
    enrolment: null,
    key,
  };
  await open(reply(createApiKeyEndpoint, made));
  await person.click(await screen.findByRole('button', { name: 'New key' }));
  await fillIn(await screen.findByLabelText('Name'), 'Reports');
  expect(screen.getAllByRole('checkbox')).toHaveLength(4);
  await person.click(screen.getByRole('button', { name: 'Create key' }));
  const shown = await screen.findByText(key);
  expect(document.activeElement).toBe(shown.parentElement);
  expect(screen.getByText('Copy it now: it is not shown again.')).toBeTruthy();
  const [sent] = bodiesSentTo(createApiKeyEndpoint) as readonly { expiresAt: number }[];
  expect(sent).toMatchObject({ name: 'Reports', scopes: ['read'] });
  expect(sent?.expiresAt).toBeGreaterThan(Date.now());
});

it.each([
  ['in the past', '01/01/2020 10:00 AM', 'The expiry is in the past. Choose a later time.'],
  [
    'more than a year ahead',
    '01/01/2090 10:00 AM',
    'A key is valid for at most one year. Choose an earlier time.',
  ],
])("shows the server's refusal of an expiry %s at the field", async (_, typed, words) => {
  await open();
  await person.click(await screen.findByRole('button', { name: 'New key' }));
  await fillIn(await screen.findByLabelText('Name'), 'Reports');
  const expires = screen.getByLabelText('Expires');
  await person.click(expires);
  await fillIn(expires, typed);
  await pressKey('Enter', expires);
  await person.click(screen.getByRole('button', { name: 'Create key' }));
  const said = await screen.findByText(words);
  expect(said.closest('.ant-form-item')?.contains(expires)).toBe(true);
  expect(bodiesSentTo(createApiKeyEndpoint)).toEqual([]);
});
