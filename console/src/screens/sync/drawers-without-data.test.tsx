import { specified } from '@patch/catalogue/testing/specified.ts';
import { fetchAuditEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import { sourceSettingsEndpoint } from '@patch/contract/sources/source-settings-endpoints.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { RunDrawer } from './run-drawer.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';

const noop = () => undefined;

test.each([
  [
    'runs',
    fetchAuditEndpoint,
    <RunDrawer key="runs" source="debian" state={undefined} onRetry={undefined} onClose={noop} />,
  ],
  [
    'settings',
    sourceSettingsEndpoint,
    <SettingsDrawer key="settings" source="debian" onClose={noop} />,
  ],
])('%s show why they cannot be loaded', async (_, endpoint, drawer) => {
  await renderInApp(drawer, { replies: [refuse(endpoint, 409)] });
  expect(await screen.findByText(specified.catalogueMessages.fetchFailed)).toBeTruthy();
  expect(screen.getByText('Refused with 409.')).toBeTruthy();
});
