import { publishingEndpoint } from '@patch/contract/licensing/publishing-endpoint.ts';
import type { BundleImport } from '@patch/contract/operations/bundle-endpoints.ts';
import {
  applyBundleEndpoint,
  bundleImportsEndpoint,
  bundleKeysEndpoint,
  trustBundleKeyEndpoint,
} from '@patch/contract/operations/bundle-endpoints.ts';
import type { Download } from '@patch/contract/operations/download-endpoints.ts';
import {
  cancelDownloadEndpoint,
  deleteDownloadEndpoint,
  downloadsEndpoint,
  downloadTicketEndpoint,
  newDownloadEndpoint,
} from '@patch/contract/operations/download-endpoints.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signOut } from '../../api/session.ts';
import { bodiesSentTo, refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { signInAs } from '../../testing/sign-in-as.ts';
import { unpublished } from '../../testing/unpublished.ts';
import { DownloadsScreen } from './downloads-screen.tsx';
import { toDownloadRequest } from './new-download-form.tsx';

const job = {
  state: 'done' as const,
  askedBy: 'admin',
  askedAt: 1,
  startedAt: 2,
  endedAt: 3,
  expiresAt: 1_800_000_000_000,
  bytes: 5_242_880,
  rows: 1000,
  total: 1000,
  stage: '',
  message: '1,000 rows. Restore with psql, or with npm run restore.',
};
const dump: Download = {
  ...job,
  id: 7,
  kind: 'database_dump',
  about: 'The whole database as SQL',
  fileName: 'database.sql.gz',
};
const running: Download = {
  ...job,
  id: 8,
  kind: 'catalogue_bundle',
  about: 'AlmaLinux',
  fileName: 'bundle.zip',
  state: 'running',
  endedAt: null,
  expiresAt: null,
  rows: 250,
  stage: 'Writing AlmaLinux patches',
  message: '',
};
const report = {
  madeAt: 1,
  signedBy: 'Head office',
  fingerprint: '0123456789abcdef',
  families: ['AlmaLinux'],
  since: null,
  lists: [
    {
      list: 'almalinux_patch',
      label: 'AlmaLinux patches',
      added: 12,
      changed: 3,
      withdrawn: 1,
      unchanged: 4000,
    },
  ],
  concerns: [],
  appliedAt: null,
};
const checked: BundleImport = {
  ...job,
  id: 9,
  fileName: 'head-office.zip',
  step: 'check',
  message: 'Nothing is changed yet.',
  report,
};
const own = { publicKey: `${'A'.repeat(43)}=`, fingerprint: 'ffffffffffffffff' };

beforeEach(() => signInAs());
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

const open = (...more: readonly HttpHandler[]) =>
  renderInApp(<DownloadsScreen />, {
    session: {},
    replies: [
      ...more,
      reply(downloadsEndpoint, {
        objList: [running, dump],
        totalCount: 2,
        keptDays: 7,
        usedBytes: 1_073_741_824,
        mostBytes: 21_474_836_480,
      }),
      reply(bundleImportsEndpoint, { objList: [checked], totalCount: 1 }),
      reply(bundleKeysEndpoint, { own, objList: [], totalCount: 0 }),
      reply(publishingEndpoint, unpublished),
      reply(sourcesEndpoint, { objList: [], totalCount: 0 }),
    ],
  });

test('shows progress, downloads a finished file with a ticket, and cancels a running one', async () => {
  const clicked = vi
    .spyOn(HTMLAnchorElement.prototype, 'click')
    .mockImplementation(() => undefined);
  await open(
    reply(downloadTicketEndpoint, {
      path: '/downloads/files/x',
      fileName: 'database.sql.gz',
      bytes: 5,
    }),
    reply(cancelDownloadEndpoint, { message: 'It ends in a moment.' }),
  );
  expect(await screen.findByText('1.00 GB of 20.00 GB, each kept for 7 days')).toBeTruthy();
  const bar = screen.getByRole('progressbar', { name: 'bundle.zip' });
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  expect(screen.getByText('Writing AlmaLinux patches')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: /^Download database.sql.gz/ }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  await person.click(screen.getByRole('button', { name: 'Cancel bundle.zip' }));
  await waitFor(() =>
    expect(sentTo(cancelDownloadEndpoint)).toMatchObject([{ path: '/downloads/8/cancel' }]),
  );
  clicked.mockRestore();
});

test('removes a file after confirmation', async () => {
  await open(reply(deleteDownloadEndpoint, { message: 'removed' }));
  await person.click(await screen.findByRole('button', { name: 'Remove database.sql.gz' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Remove database.sql.gz?');
  await person.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() =>
    expect(sentTo(deleteDownloadEndpoint)).toMatchObject([{ path: '/downloads/7' }]),
  );
});

test('shows the changes of a bundle by list, and applies it after confirmation', async () => {
  await open(reply(applyBundleEndpoint, { ...checked, state: 'queued', step: 'apply' }));
  const row = (await screen.findByRole('rowheader', { name: 'AlmaLinux patches' })).closest('tr');
  expect([...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)).toEqual([
    '12',
    '3',
    '1',
    '4,000',
  ]);
  expect(screen.getByText(/signed by Head office/)).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Apply head-office.zip' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('12 records will be added, 3 changed, 1 withdrawn');
  await person.click(within(dialog).getByRole('button', { name: 'Apply' }));
  await waitFor(() =>
    expect(sentTo(applyBundleEndpoint)).toMatchObject([
      { path: '/downloads/bundle-imports/9/apply' },
    ]),
  );
});

test('offers to apply a bundle after a failed application, but not after a successful one', async () => {
  const imports = [
    ['applied.zip', { step: 'apply', report: { ...report, appliedAt: 5 } }],
    ['failed.zip', { step: 'apply', state: 'failed' }],
    ['refused.zip', { state: 'failed', report: null }],
  ] as const;
  const objList = imports.map(([fileName, more], id) => ({ ...checked, id, fileName, ...more }));
  await open(reply(bundleImportsEndpoint, { objList, totalCount: 3 }));
  expect(await screen.findByRole('button', { name: 'Apply failed.zip' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Apply applied.zip' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Apply refused.zip' })).toBeNull();
});

test('requests a dump, and shows a refusal over the form', async () => {
  await open(refuse(newDownloadEndpoint, 409));
  await person.click(await screen.findByRole('button', { name: 'Create' }));
  await waitFor(() =>
    expect(bodiesSentTo(newDownloadEndpoint)).toEqual([{ kind: 'database_dump' }]),
  );
});

test('sends the choices of the form', () => {
  const draft = {
    kind: 'logs',
    sources: [],
    sinceRun: 0,
    from: 0,
    to: 9,
    level: 'warn',
    requestId: 'ab',
  } as const;
  expect(toDownloadRequest(draft)).toEqual({
    kind: 'logs',
    options: { from: null, to: 9, level: 'warn', requestId: 'ab' },
  });
  expect(toDownloadRequest({ ...draft, kind: 'support_bundle' })).toEqual({
    kind: 'support_bundle',
  });
  const bundle = { ...draft, kind: 'catalogue_bundle', sources: ['debian'], sinceRun: 4 } as const;
  expect(toDownloadRequest(bundle)).toEqual({
    kind: 'catalogue_bundle',
    options: { sources: ['debian'], sinceRun: 4 },
  });
  // A run belongs to one family, so a selection of several ignores it.
  expect(toDownloadRequest({ ...bundle, sources: ['debian', 'ubuntu'] })).toMatchObject({
    options: { sinceRun: null },
  });
});

test('trusts a valid key of another installation', async () => {
  await open(
    reply(trustBundleKeyEndpoint, { ...own, name: 'Head office', addedAt: 1, addedBy: 'admin' }),
  );
  const key = `${'B'.repeat(43)}=`;
  await fillIn(await screen.findByLabelText('Name of the other installation'), 'Head office');
  const field = screen.getByLabelText('Its public key');
  await fillIn(field, 'short');
  await person.tab();
  expect(await screen.findByText(/It must be the public key/)).toBeTruthy();
  await fillIn(field, key);
  await person.click(screen.getByRole('button', { name: 'Trust this key' }));
  await waitFor(() =>
    expect(bodiesSentTo(trustBundleKeyEndpoint)).toEqual([{ name: 'Head office', publicKey: key }]),
  );
});

test('uploads a file unchanged with its progress, and shows a refusal', async () => {
  const sent: { address: string; type: string; file: unknown }[] = [];
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget();
    status = 422;
    responseText = JSON.stringify({
      userMessage: 'The file is empty.',
      code: 'empty_upload',
      requestId: 'r',
    });
    #address = '';
    #type = '';
    open(_method: string, address: string): void {
      this.#address = address;
    }
    setRequestHeader(name: string, value: string): void {
      if (name === 'Content-Type') this.#type = value;
    }
    send(file: unknown): void {
      sent.push({ address: this.#address, type: this.#type, file });
      this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 2 }));
      setTimeout(() => this.dispatchEvent(new Event('load')), 50);
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  await open();
  const file = new File(['zip'], 'their bundle.zip', { type: 'application/zip' });
  await person.upload(await screen.findByLabelText('Bundle to upload'), file);
  expect(await screen.findByText('their bundle.zip: 50 %')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('their bundle.zip: 50 %')).toBeNull());
  expect(sent).toEqual([
    {
      address: '/api/downloads/bundle-imports?fileName=their+bundle.zip',
      type: 'application/zip',
      file,
    },
  ]);
});
