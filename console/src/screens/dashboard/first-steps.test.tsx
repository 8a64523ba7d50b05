import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import { emailConfigEndpoint } from '@patch/contract/operations/mail-endpoints.ts';
import { saveFramePreferenceEndpoint } from '@patch/contract/operations/preference-endpoints.ts';
import {
  type MirrorTest,
  testMirrorEndpoint,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import { startSyncEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { destroyPreferences, updateFrame } from '../../api/preferences.ts';
import { refuse, reply, sentCalls } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { FirstSteps, type StepDrawerProps } from './first-steps.tsx';

const debian = stateOfSource({ source: 'debian', label: 'Debian' });
const alma = stateOfSource({ source: 'almaLinux', label: 'AlmaLinux' });

const drawers = {
  EmailDrawer: ({ open }: StepDrawerProps) => open && <p>form of the email</p>,
  InviteDrawer: ({ open }: StepDrawerProps) => open && <p>form of the invitation</p>,
};

const mailServer = {
  server: 'smtp.example.org',
  port: 587,
  protocol: 'smtp' as const,
  securityType: 'starttls' as const,
  email: 'patch@example.org',
  replyToEmail: '',
  toEmailId: '',
  senderName: '',
  passwordSet: true,
};

beforeEach(() => {
  destroyPreferences();
  signInAs({ userType: 'Admin' });
});

async function show(
  sources = [debian, alma],
  people = 1,
  mail: typeof mailServer | null = null,
  problem: MirrorTest['problem'] = null,
) {
  const onDismiss = vi.fn();
  await renderInApp(<FirstSteps drawers={drawers} sources={sources} onDismiss={onDismiss} />, {
    replies: [
      reply(emailConfigEndpoint, mail),
      reply(saveFramePreferenceEndpoint, { preferences: {}, frame: { machine: 'checked' } }),
      reply(usersEndpoint, { objectList: [], totalCount: people }),
      reply(testMirrorEndpoint, {
        mirror: null,
        url: 'https://x.example/a.json',
        problem,
        milliseconds: 7,
        size: 2048,
        format: 'JSON',
      }),
      refuse(startSyncEndpoint, 409, { code: 'sync_running', userMessage: 'It runs.' }),
    ],
  });
  return onDismiss;
}

it('tests every source, and shows each answer', async () => {
  await show();
  await person.click(await screen.findByRole('button', { name: 'Test 2 sources' }));
  expect(await screen.findByText('2 of 2 tested sources can be reached.')).toBeTruthy();
  expect(
    screen.getAllByText(/The vendor sent https:\/\/x.example\/a.json \(JSON, 2.00 KB\) in 7 ms/i),
  ).toHaveLength(2);
});

it('syncs the chosen sources', async () => {
  await show();
  await person.click(await screen.findByRole('checkbox', { name: 'Debian' }));
  await person.click(screen.getByRole('button', { name: 'Sync 1 of 2' }));
  const started = () => sentCalls().filter(({ path }) => path === '/linux/patchsync/manual');
  await waitFor(() => expect(started()).toHaveLength(1));
  expect(started()[0]?.query).toMatchObject({ service: 'almaLinux' });
});

it('offers a sample machine after the first success, and to hide the steps', async () => {
  const onDismiss = await show([debian, { ...alma, lastSuccessAt: 1 }]);
  const link = await screen.findByRole('link', { name: 'Check a sample machine' });
  expect(link.getAttribute('href')).toBe('/patch-repository/check-machine?sample=true');
  expect(onDismiss).not.toHaveBeenCalled();
  await person.click(screen.getByRole('button', { name: 'Hide these steps' }));
  expect(onDismiss).toHaveBeenCalledOnce();
});

it('sets email up and invites someone without leaving the page', async () => {
  await show();
  await person.click(await screen.findByRole('button', { name: 'Set up email' }));
  expect(screen.getByText('form of the email')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Invite someone' }));
  expect(screen.getByText('form of the invitation')).toBeTruthy();
  expect(screen.queryByText('form of the email')).toBeNull();
});

it('counts a step as done when every source is reached or synced', async () => {
  await show([debian, { ...alma, lastSuccessAt: 1 }]);
  expect(await screen.findByText(/1 of 2 sources are synced\./)).toBeTruthy();
  expect(screen.queryByText('Done')).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Test 2 sources' }));
  await waitFor(() => expect(screen.getAllByText('Done')).toHaveLength(1));
});

it('does not count a test as done in which a source was not reached', async () => {
  await show([debian, alma], 1, null, { code: 'status', params: { status: 404 } });
  await person.click(await screen.findByRole('button', { name: 'Test 2 sources' }));
  expect(await screen.findByText('0 of 2 tested sources can be reached.')).toBeTruthy();
  expect(screen.queryByText('Done')).toBeNull();
});

it('goes when the last step is done', async () => {
  const synced = [
    { ...debian, lastSuccessAt: 1 },
    { ...alma, lastSuccessAt: 1 },
  ];
  const waiting = await show(synced, 2, mailServer);
  await waitFor(() => expect(screen.getAllByText('Done')).toHaveLength(4));
  expect(waiting).not.toHaveBeenCalled();
  cleanup();
  updateFrame({ machine: 'checked' });
  const onDismiss = await show(synced, 2, mailServer);
  await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce());
});

it('offers no empty form for an email configuration that exists', async () => {
  await show([debian], 1, mailServer);
  const link = await screen.findByRole('link', { name: 'Change the email configuration' });
  expect(link.getAttribute('href')).toBe('/patch-repository/email-configuration');
  expect(screen.queryByRole('button', { name: 'Set up email' })).toBeNull();
});
