import { passwordPolicyEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { channelsEndpoint } from '@patch/contract/operations/channel-endpoints.ts';
import {
  defaultSettings,
  savePasswordPolicyEndpoint,
  saveSettingsEndpoint,
  settingsEndpoint,
} from '@patch/contract/operations/settings-endpoints.ts';
import { searchMemoryEndpoint } from '@patch/contract/records/search-memory-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { about, setAbout } from '../../api/about.ts';
import { signOut } from '../../api/session.ts';
import { bodiesSentTo, reply } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildPasswordPolicy } from '../../testing/service-values.ts';
import { ConfigurationScreen } from './configuration-screen.tsx';

const policy = buildPasswordPolicy();

afterEach(() => {
  signOut();
  setAbout({ name: 'Patch Repository', timeZone: null, sendsMail: true });
});

type ShownSettings = z.output<typeof settingsEndpoint.reply>;

const settings = { ...defaultSettings, sessionIdleMinutes: 20 };
const memory = {
  maxBytes: 256 * 1024 * 1024,
  lists: [
    {
      list: 'all_patches',
      label: 'All patches',
      bytes: 3_145_728,
      records: 28_012,
      complete: true,
    },
    { list: 'patch', label: 'Patch list', bytes: 0, records: 0, complete: false },
  ],
};
const idleFromEnvironment = { settings, fixed: { sessionIdleMinutes: 'SESSION_IDLE_MINUTES' } };
const open = (shown: ShownSettings = idleFromEnvironment) =>
  renderInApp(<ConfigurationScreen />, {
    session: {},
    replies: [
      reply(settingsEndpoint, shown),
      reply(searchMemoryEndpoint, memory),
      reply(channelsEndpoint, { objList: [], totalCount: 0 }),
      reply(saveSettingsEndpoint, shown),
      reply(passwordPolicyEndpoint, policy),
      reply(savePasswordPolicyEndpoint, policy),
    ],
  });
const section = async (name: string) => within(await screen.findByRole('region', { name }));

test('saves each section separately, without the settings of the environment', async () => {
  await open();
  const sessions = await section('Sessions');
  expect(sessions.getByLabelText<HTMLInputElement>('Ends when idle for').disabled).toBe(true);
  expect(sessions.getByText('Set by the SESSION_IDLE_MINUTES environment variable.')).toBeTruthy();
  const save = sessions.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  const most = sessions.getByLabelText('Ends at the latest after');
  await fillIn(most, '8');
  await person.tab();
  await waitFor(() => expect(save.disabled).toBe(false));
  await person.click(save);
  await waitFor(() => expect(bodiesSentTo(saveSettingsEndpoint)).toEqual([{ sessionMaxHours: 8 }]));
});

test('shows an invalid address at its field, sends null for an empty one, and applies the name at once', async () => {
  await open({
    settings: { ...settings, name: 'Acme patches', baseUrl: 'https://old.example' },
    fixed: {},
  });
  const general = await section('General');
  const address = general.getByLabelText('Address of the console');
  await fillIn(address, 'patch server');
  const save = general.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await waitFor(() => expect(save.disabled).toBe(false));
  await person.click(save);
  expect(await general.findByText('Address of the console must be valid URL')).toBeTruthy();
  await fillIn(address, '  ');
  await person.click(save);
  await waitFor(() =>
    // Only this field is sent, because another administrator may have changed the others.
    expect(bodiesSentTo(saveSettingsEndpoint)).toEqual([{ baseUrl: null }]),
  );
  await waitFor(() => expect(about().name).toBe('Acme patches'));
});

test('saves the password policy with its four settings', async () => {
  await open();
  const passwords = await section('Passwords');
  await person.click(passwords.getByRole('checkbox', { name: 'A special character' }));
  const save = passwords.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await waitFor(() => expect(save.disabled).toBe(false));
  await person.click(save);
  await waitFor(() =>
    expect(bodiesSentTo(savePasswordPolicyEndpoint)).toEqual([
      { ...policy, enableSpecialChar: false },
    ]),
  );
});

test('shows the lists in memory, their size, and which are being loaded', async () => {
  await open();
  const shown = await section('Search memory');
  expect(await shown.findByText('3 MB of 256 MB used')).toBeTruthy();
  expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'All patches28,012 records3 MB',
    'Patch listbeing read0 MB',
  ]);
});

test('shows the addresses of open formats below the configured address', async () => {
  await open({ settings: { ...settings, baseUrl: 'https://patch.example.org/' }, fixed: {} });
  const formats = await section('Open formats');
  const addresses = formats.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(addresses[0]).toContain('https://patch.example.org/api/osv/v1/query');
  expect(addresses[4]).toContain('https://patch.example.org/api/osv/{ecosystem}/{file}');
  expect(addresses[8]).toMatch(
    /GEThttps:\/\/patch\.example\.org\/api\/updateinfo\/\{distribution\}\/\{release\}\/$/,
  );
  expect(formats.getAllByRole('button', { name: /^Copy address/ })).toHaveLength(9);
});
