import { createApiKeyEndpoint } from '@patch/contract/accounts/api-key-endpoints.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bodiesSentTo, reply } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { AddMachines } from './add-machines.tsx';

const created = {
  id: 1,
  name: 'Web servers 2026',
  prefix: 'prk_abcdef',
  scopes: ['report' as const],
  ownerId: 1,
  ownerName: 'jane',
  createdAt: 0,
  expiresAt: Date.UTC(2027, 1, 1),
  lastUsedAt: null,
  enrolment: { group: 'Web servers', reports: 0, machines: 0 },
  key: 'prk_secret',
};

test('creates a key for the group and shows a line for Linux and one for Windows', async () => {
  await renderInApp(<AddMachines />, {
    session: { userType: 'Admin' },
    replies: [reply(createApiKeyEndpoint, created)],
  });
  await person.click(await screen.findByRole('button', { name: 'Add machines' }));
  await fillIn(await screen.findByLabelText(/Group/), 'Web servers');
  await person.click(screen.getByRole('button', { name: 'Create key' }));
  await screen.findByText('Linux, in a shell');
  expect(bodiesSentTo(createApiKeyEndpoint)).toMatchObject([
    { scopes: ['report'], group: 'Web servers' },
  ]);
  const lines = [...document.querySelectorAll('code')].map(({ textContent }) => textContent);
  const { origin } = window.location;
  expect(lines[0]).toBe(
    `{ echo PATCH_KEY=prk_secret; curl -fsSL ${origin}/api/collectors/patch-report.sh; } | sudo sh -s -- install ${origin}`,
  );
  expect(lines[1]).toMatch(/^\$env:PATCH_KEY = 'prk_secret'; /);
  expect(lines[1]).toMatch(new RegExp(`-Install -Address ${origin}$`));
});

test('shows nothing to other users', async () => {
  await renderInApp(<AddMachines />, { session: { userType: 'Standard' } });
  expect(screen.queryByRole('button', { name: 'Add machines' })).toBeNull();
});
