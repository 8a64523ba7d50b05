import { machineExposureEndpoint } from '@patch/contract/fleet/machine-endpoints.ts';
import {
  identifierRecordsEndpoint,
  nearestIdentifiersEndpoint,
} from '@patch/contract/records/shared-identifier-endpoints.ts';
import { vulnerabilityEndpoint } from '@patch/contract/records/vulnerability-endpoint.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpHandler } from 'msw/http';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { refuse, reply } from '../../testing/fake-api.ts';
import { noExposure } from '../../testing/no-machines.ts';
import { fillIn, pressKey } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { IdentifierScreen } from './identifier-screen.tsx';

type IdentifierReply = z.output<typeof identifierRecordsEndpoint.reply>;

const show = (
  id: string,
  answer: IdentifierReply | HttpHandler,
  replies: readonly HttpHandler[] = [],
) =>
  renderInApp(<IdentifierScreen />, {
    replies: [
      ...replies,
      reply(machineExposureEndpoint, { ...noExposure, machines: 3, missing: 3 }),
      answer instanceof HttpHandler ? answer : reply(identifierRecordsEndpoint, answer),
      refuse(vulnerabilityEndpoint, 404, { code: 'not_found' }),
    ],
    route: '/patch-repository/identifier/$id',
    path: `/patch-repository/identifier/${encodeURIComponent(id)}`,
  });
const record = (id: number, identity: string) => ({
  id,
  identity,
  title: `About ${identity}`,
  severity: 'Important',
  releaseDate: Date.UTC(2024, 2, 5),
  own: false,
  shares: ['CVE-2024-3094'],
});

test('shows the identifier in its usual spelling, external pages, and its records by list', async () => {
  await show('cve-2024-3094', {
    identifier: 'CVE-2024-3094',
    lists: [
      { list: 'almalinux_patch', totalCount: 1200, records: [record(7, 'ALSA-2024:1')] },
      {
        list: 'debian_patch',
        totalCount: 1,
        records: [{ ...record(8, 'DSA-5649-1'), severity: null, title: null }],
      },
    ],
  });
  expect(await screen.findByText('1,201 records in 2 lists')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('CVE-2024-3094');
  expect(screen.getByRole('link', { name: 'NVD' }).getAttribute('href')).toBe(
    'https://nvd.nist.gov/vuln/detail/CVE-2024-3094',
  );
  expect(screen.getByRole('link', { name: /^1,200 records/ }).getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch?criteria=mentions.equal.CVE-2024-3094&view=all',
  );
  const table = within(screen.getByRole('table', { name: 'AlmaLinux patches' }));
  expect(table.getByRole('link', { name: 'ALSA-2024:1' }).getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch/record/7',
  );
  expect(table.getByText('Important')).toBeTruthy();
  expect(table.getByText(/Mar 05, 2024/)).toBeTruthy();
  expect(screen.getByText('first 1 shown')).toBeTruthy();
});

test('opens the record when an identifier has one', async () => {
  const { path } = await show('alsa-2024:1', {
    identifier: 'ALSA-2024:1',
    lists: [{ list: 'almalinux_patch', totalCount: 1, records: [record(7, 'ALSA-2024:1')] }],
  });
  await waitFor(() => expect(path()).toBe('/patch-repository/almalinux-patch/record/7'));
});

test('says what an identifier is, shows its records, and folds those that mention it', async () => {
  const own = { ...record(7, 'KB5094123'), own: true };
  await show('KB5094123', {
    identifier: 'KB5094123',
    lists: [
      {
        list: 'patch_repository',
        totalCount: 123,
        records: [
          { ...own, id: 6, title: 'Elsewhere', severity: 'Low' },
          own,
          record(8, 'KB5087538'),
        ],
      },
      { list: 'kb_repository', totalCount: 1, records: [record(9, 'KB5087539')] },
    ],
  });
  expect(
    (await screen.findByText('About KB5094123', { selector: 'strong' })).parentElement,
  ).toHaveProperty('textContent', 'About KB5094123 · Important · released Mar 05, 2024');
  expect(screen.getByRole('heading', { name: 'This KB' })).toBeTruthy();
  const machines = await screen.findByRole('link', {
    name: '3 machines miss KB5094123: show them',
  });
  expect(machines.parentElement?.textContent).toBe('Missing on 3 machines.');
  expect(screen.getByText('first 3 shown, 2 of them here')).toBeTruthy();
  const mentions = screen.getByText('Mentioned by other records').closest('details');
  expect(mentions?.textContent).toContain('first 3 shown, 1 of them here');
  expect(mentions?.open).toBe(false);
  expect(mentions?.textContent).toContain('KB5087538');
  expect(mentions?.textContent).not.toContain('About KB5094123');
});

test('names the lists that are still being indexed', async () => {
  await show('CVE-2024-3094', {
    identifier: 'CVE-2024-3094',
    lists: [{ list: 'debian_patch', totalCount: 1, records: [record(8, 'DSA-5649-1')] }],
    indexing: ['almalinux_patch', 'oracle_linux_patch'],
  });
  expect(await screen.findByText(/^Records may be missing here: /)).toHaveProperty(
    'textContent',
    'Records may be missing here: AlmaLinux patches, Oracle Linux patches are still being indexed after an upgrade.',
  );
});

test('explains possible identifiers and where to search when no record matches', async () => {
  const { path } = await show('a/b?', { identifier: 'a/b?', lists: [] }, [
    refuse(nearestIdentifiersEndpoint, 503),
  ]);
  expect(await screen.findByRole('heading', { name: /^No records mention / })).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Search/ }).getAttribute('href')).toBe(
    '/patch-repository?keyword=a%2Fb%3F',
  );
  expect(screen.queryByRole('link', { name: 'NVD' })).toBeNull();
  const box = screen.getByRole('searchbox', { name: 'Look up another identifier' });
  await fillIn(box, ' kb5034441 ');
  await pressKey('Enter', box);
  await waitFor(() => expect(path()).toBe('/patch-repository/identifier/kb5034441'));
});

test('names the withdrawn records of an identifier that no listed record has', async () => {
  const withdrawn = [
    {
      list: 'almalinux_patch',
      id: 7,
      identity: 'ALSA-2024:1691',
      title: 'xz security update',
      withdrawnTime: Date.UTC(2026, 10, 30, 12),
    },
  ];
  await show('ALSA-2024:1691', { identifier: 'ALSA-2024:1691', lists: [], withdrawn }, [
    refuse(nearestIdentifiersEndpoint, 503),
  ]);
  expect(await screen.findByRole('heading', { name: 'Withdrawn by the vendor' })).toBeTruthy();
  expect(screen.queryByRole('heading', { name: /^No records mention / })).toBeNull();
  const link = screen.getByRole('link', { name: 'ALSA-2024:1691' });
  expect(link.getAttribute('href')).toMatch(/almalinux.*\/record\/7$/);
  expect(link.closest('li')?.textContent).toContain(
    'xz security update, AlmaLinux patches, not listed since Mon, Nov 30, 2026',
  );
});

test('shows the searched sources, their freshness and the nearest identifiers when no record matches', async () => {
  const now = Date.now();
  const lists = (key: string, rows: number) => [{ key, label: key, rows }];
  const sources = [
    stateOfSource({
      source: 'almaLinux',
      label: 'AlmaLinux',
      lists: lists('almalinux_patch', 1200),
      lastSuccessAt: now - 60_000,
      releases: releasedBefore(now, { daysAgo: 40 }),
    }),
    stateOfSource({ source: 'debian', label: 'Debian', lists: lists('debian_patch', 7) }),
    stateOfSource({ source: 'pardus', label: 'Pardus', lists: lists('pardus_patch', 7) }),
  ];
  await show('CVE-2024-3094', { identifier: 'CVE-2024-3094', lists: [] }, [
    reply(nearestIdentifiersEndpoint, {
      lists: ['almalinux_patch', 'debian_patch'],
      nearest: [{ identifier: 'CVE-2024-3095', list: 'debian_patch' }],
    }),
    reply(sourcesEndpoint, { objList: sources, totalCount: 3 }),
  ]);
  const table = within(await screen.findByRole('table', { name: '2 sources were searched' }));
  const rows = table.getAllByRole('row').map(({ textContent }) => textContent);
  expect(rows.slice(1)).toEqual([
    expect.stringMatching(/^AlmaLinux1,200.*Silent for 40 days, usually every day$/),
    'Debian7NeverNever synced',
  ]);
  const nearest = screen.getByRole('link', { name: 'CVE-2024-3095' });
  expect(nearest.getAttribute('href')).toBe('/patch-repository/identifier/CVE-2024-3095');
  expect(nearest.parentElement?.textContent).toBe('CVE-2024-3095 Debian patches');
});

test('shows why a request failed, and retries it', async () => {
  await show('openssl', refuse(identifierRecordsEndpoint, 409));
  expect((await screen.findByRole('alert')).textContent).toContain('Refused with 409.');
  expect(screen.getByText('req-42')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
});
