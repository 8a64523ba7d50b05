import type { CarriedKeys } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type { LicensedClient } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import {
  allowReactivationEndpoint,
  carriedKeysEndpoint,
  changeClientEndpoint,
  clientExposureEndpoint,
  createClientEndpoint,
  licensedClientEndpoint,
  newActivationCodeEndpoint,
  revokeClientEndpoint,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import {
  type Publishing,
  publishingEndpoint,
} from '@patch/contract/licensing/publishing-endpoint.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bodiesSentTo, refuse, reply, sentCalls, sentTo } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { signInAs } from '../testing/sign-in-as.ts';
import { unpublished } from '../testing/unpublished.ts';
import { newDraft, RegisterClient, toClientEntry } from './client-drawer.tsx';
import { addLicenceYear, ClientPanel } from './client-panel.tsx';

const ends = Date.UTC(2027, 4, 1);
const client: LicensedClient = {
  id: 7,
  clientName: 'Acme',
  licenseType: 'subscription',
  licenseExpiry: ends,
  deploymentMode: 'HA',
  environment: 'staging',
  technicianLicence: 'concurrent',
  technicians: 4,
  itAssets: 100,
  nonItAssets: 3,
  endPoints: 900,
  families: ['almaLinux'],
  contactEmail: 'ops@acme.example',
  notes: '',
  reportsMachines: false,
  state: 'active',
  activationCode: 'ABCDE-FGHJK-MNPQR-STVWX-YZ234',
  registeredOn: 1,
  hostName: 'repo1',
  applicationVersion: '8.1',
  latestKbRequestOn: 2,
  repoUpdatedOn: 2,
  reactivationUntil: null,
  revokedOn: null,
  revokedBy: '',
  createdOn: 1,
};
const figure = (totalCount: number) => ({
  list: 'almalinux_patch',
  criteria: [{ paramName: 'severity', operator: 'equal' as const, value: 'Critical' }],
  totalCount,
  updateCount: totalCount,
});
const exposure = {
  clientId: 7,
  clientName: 'Acme',
  critical: 12,
  important: 30,
  lists: [
    {
      list: 'almalinux_patch',
      label: 'AlmaLinux patches',
      fetchedOn: null,
      declined: 0,
      all: figure(1616),
      critical: figure(12),
      important: figure(30),
    },
  ],
};

const as = (userType: 'Admin' | 'Standard') => signInAs({ name: 'op', userType });
beforeEach(() => void as('Admin'));

const panel = (...more: readonly HttpHandler[]) =>
  renderInApp(<ClientPanel id={7} />, {
    replies: [
      ...more,
      reply(licensedClientEndpoint, client),
      reply(clientExposureEndpoint, exposure),
      reply(publishingEndpoint, unpublished),
    ],
  });
/** Answers the question that has the title. */
async function answer(title: RegExp, button: string) {
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  await person.click(dialog.getByRole('button', { name: button }));
}

describe('ClientPanel', () => {
  test('shows state, code and missing updates, each number as a link to its records', async () => {
    await panel();
    expect(await screen.findByText('Active')).toBeTruthy();
    expect(screen.getByText(/ABCDE-FGHJK/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy activation code' })).toBeTruthy();
    const link = await screen.findByRole('link', {
      name: '12 critical updates of AlmaLinux patches missing: show them',
    });
    expect(link.getAttribute('href')).toContain('/patch-repository/almalinux-patch?criteria=');
    expect(screen.getByText(/Critical or important updates are missing:/)).toBeTruthy();
  });

  test('counts the updates of each list, with their records', async () => {
    const of = (list: string, label: string, updateCount: number, totalCount: number) => {
      const counted = { list, criteria: [], totalCount, updateCount };
      const none = { ...counted, totalCount: 0, updateCount: 0 };
      return {
        list,
        label,
        fetchedOn: null,
        declined: 0,
        all: counted,
        critical: counted,
        important: none,
      };
    };
    const lists = [
      of('patch_repository', 'Patch repository', 589, 1755),
      of('kb_repository', 'KB base', 193, 378),
    ];
    await panel(reply(clientExposureEndpoint, { ...exposure, critical: 590, important: 0, lists }));
    expect(
      await screen.findByRole('link', {
        name: '589 critical updates of Patch repository missing, in 1,755 records: show them',
      }),
    ).toBeTruthy();
    expect(screen.getAllByText('378 records')).toHaveLength(2);
  });

  test('says what the ring of a client declines when it has fetched the rest', async () => {
    const lists = exposure.lists.map((list) => ({ ...list, declined: 2, all: figure(0) }));
    await panel(reply(clientExposureEndpoint, { ...exposure, critical: 0, important: 0, lists }));
    expect(await screen.findByText(/up to date with what its ring lets through/)).toBeTruthy();
    expect(screen.getByText('Its ring declines 2 records of AlmaLinux patches.')).toBeTruthy();
  });

  test('is shown to administrators only', async () => {
    as('Standard');
    await panel();
    expect(screen.queryByRole('region', { name: 'Licence' })).toBeNull();
    // Every user may read the accepted records of the client.
    await waitFor(() =>
      expect(sentCalls().map(({ method, path }) => `${method} ${path}`)).toEqual([
        'GET /machines/exceptions',
      ]),
    );
  });
});

describe('client actions', () => {
  test('revokes a client only after confirmation', async () => {
    await panel(
      reply(revokeClientEndpoint, { ...client, state: 'revoked', revokedOn: 5, revokedBy: 'op' }),
    );
    const revoke = await screen.findByRole('button', { name: 'Revoke' });
    await person.click(revoke);
    await answer(/Revoke Acme/, 'No');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sentTo(revokeClientEndpoint)).toEqual([]);
    await person.click(revoke);
    await answer(/Revoke Acme/, 'Revoke');
    expect(await screen.findByText('Acme is revoked')).toBeTruthy();
    expect(sentTo(revokeClientEndpoint)).toMatchObject([{ path: '/windows/user/7/revoke' }]);
  });

  test('allows a re-activation after confirmation', async () => {
    await panel(
      reply(allowReactivationEndpoint, { ...client, reactivationUntil: Date.UTC(2027, 0, 2) }),
    );
    await person.click(await screen.findByRole('button', { name: 'Allow re-activation' }));
    await answer(/Allow Acme to activate again/, 'Allow');
    expect(await screen.findByText('Acme can activate again')).toBeTruthy();
    expect(sentTo(allowReactivationEndpoint)).toHaveLength(1);
  });

  const keys: CarriedKeys = {
    server: 'https://patch.example.org',
    licence: {
      clientId: client.id,
      clientName: client.clientName,
      licenseType: client.licenseType,
      licenseExpiry: client.licenseExpiry,
      families: client.families,
      lists: ['almalinux_patch'],
      optionalLists: [],
      tree: { address: '/api/tree', root: '{}', period: 9, keys: { '-': 'a' }, nextHeartbeat: 1 },
    },
  };
  const published: Publishing = { ...unpublished, place: 'folder', state: 'published' };
  const keysButton = { name: 'Keys for a closed network' };

  test('saves the keys of a client for a closed network after confirmation', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((one) => {
      saved.push(one as Blob);
      return 'blob:saved';
    });
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    await panel(reply(publishingEndpoint, published), reply(carriedKeysEndpoint, keys));
    await person.click(await screen.findByRole('button', keysButton));
    expect(saved).toEqual([]);
    await answer(/Save keys for a closed network/, 'Save keys');
    expect(await screen.findByText('The keys of Acme are saved')).toBeTruthy();
    expect(sentTo(carriedKeysEndpoint)).toMatchObject([{ path: '/windows/user/7/carried-keys' }]);
    expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual(keys);
    expect(clicked).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
  });

  test('offers no keys while nothing is published, and to no revoked client', async () => {
    await panel();
    await screen.findByRole('button', { name: 'New code' });
    await waitFor(() => expect(sentTo(publishingEndpoint)).toHaveLength(1));
    expect(screen.queryByRole('button', keysButton)).toBeNull();
    cleanup();
    await panel(
      reply(publishingEndpoint, published),
      reply(licensedClientEndpoint, { ...client, state: 'revoked' }),
    );
    await screen.findByRole('button', { name: 'Restore' });
    await waitFor(() => expect(sentTo(publishingEndpoint)).toHaveLength(2));
    expect(screen.queryByRole('button', keysButton)).toBeNull();
  });

  test("shows the server's refusal", async () => {
    await panel(refuse(newActivationCodeEndpoint, 409));
    await person.click(await screen.findByRole('button', { name: 'New code' }));
    await answer(/./, 'Create code');
    expect(await screen.findByText('Refused with 409.')).toBeTruthy();
  });

  test('sends only the changed fields of an edited client', async () => {
    await panel(reply(changeClientEndpoint, client));
    await person.click(await screen.findByRole('button', { name: 'Edit' }));
    const name = await screen.findByLabelText('Client');
    await fillIn(name, 'Acme Europe');
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    await waitFor(() => expect(save.disabled).toBe(false));
    await person.click(save);
    await waitFor(() =>
      expect(bodiesSentTo(changeClientEndpoint)).toEqual([{ clientName: 'Acme Europe' }]),
    );
  });
});

describe('RegisterClient', () => {
  test('requires a name, then opens the new record with its code', async () => {
    await renderInApp(<RegisterClient />, { replies: [reply(createClientEndpoint, client)] });
    await person.click(screen.getByRole('button', { name: 'Register a client' }));
    await person.click(await screen.findByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Client field is required')).toBeTruthy();
    await fillIn(screen.getByLabelText('Client'), ' Acme ');
    await person.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Acme is registered')).toBeTruthy();
    expect(bodiesSentTo(createClientEndpoint)).toMatchObject([
      { clientName: 'Acme', licenseType: 'trial', deploymentMode: 'standalone' },
    ]);
  });

  test('stores no end for a perpetual licence', () => {
    const draft = { ...newDraft(0), clientName: 'Acme', licenseType: 'perpetual' as const };
    expect(draft.licenseExpiry).toBe(30 * 86_400_000);
    expect(toClientEntry(draft).licenseExpiry).toBeNull();
  });
});

test('renews a licence for a year from its end, or from now when it has ended', () => {
  expect(addLicenceYear(Date.UTC(2027, 1, 3), Date.UTC(2026, 1, 1))).toBe(Date.UTC(2028, 1, 3));
  expect(addLicenceYear(Date.UTC(2020, 1, 3), Date.UTC(2026, 1, 1))).toBe(Date.UTC(2027, 1, 1));
  expect(addLicenceYear(null, Date.UTC(2026, 1, 1))).toBe(Date.UTC(2027, 1, 1));
});
