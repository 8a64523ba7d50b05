import { specified } from '@patch/catalogue/testing/specified.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderInRouter } from '../../testing/render-in-router.tsx';
import { RunDrawer } from './run-drawer.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';

afterEach(() => void vi.unstubAllGlobals());

const nothing = () => undefined;

test.each([
  [
    'runs',
    '/windows/fetchAudit/debian',
    <RunDrawer
      key="runs"
      source="debian"
      state={undefined}
      onRetry={undefined}
      onClose={nothing}
    />,
  ],
  [
    'settings',
    '/patchsync/sources/debian/settings',
    <SettingsDrawer key="settings" source="debian" onClose={nothing} />,
  ],
])('%s that cannot be had say so, and why', async (_, path, drawer) => {
  await renderInRouter(drawer, { [path]: 409 });
  expect(await screen.findByText(specified.catalogueMessages.fetchFailed)).toBeTruthy();
  expect(screen.getByText('Refused with 409.')).toBeTruthy();
});
