import { sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import { stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn, signOut } from '../../api/session.ts';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { SyncScreen } from './sync-screen.tsx';

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

const idle = sourceKeys.map((source) => stateOfSource({ source, label: sourceLabels[source] }));

test('a double press starts each source once', async () => {
  const { asked } = await renderInRouter(<SyncScreen />, {
    '/patchsync/sources': { objList: idle, totalCount: idle.length },
  });
  const all = await screen.findByRole('button', { name: 'Sync all available' });
  fireEvent.click(all);
  fireEvent.click(all);
  const started = () => asked.filter(({ method }) => method === 'POST');
  await waitFor(() => expect(started().length).toBeGreaterThanOrEqual(sourceKeys.length));
  expect(started()).toHaveLength(sourceKeys.length);
});
