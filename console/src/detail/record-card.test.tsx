import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { sourcesEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentCalls } from '../testing/fake-api.ts';
import { noUpdates } from '../testing/no-updates.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { RecordCard } from './record-card.tsx';

const kbs = getList('patch_repository');
const vulnerabilities = getList('vulnerabilities');
const product = 'Windows Server 2022';
const superseded = {
  id: 1,
  kbId: 'KB5000100',
  productName: product,
  superseded: true,
  exploited: true,
  cvss: 9.8,
  epss: 0.94,
  cve: ['CVE-2024-0001', 'CVE-2024-0002'],
  kbIdToBeInstalled: 'KB5000300',
  installEvidence: 'It has the highest fixed build.',
  supersedence: [
    {
      kbId: 'KB5000300',
      relation: 'Replaces it directly',
      releaseDate: Date.UTC(2024, 1, 13),
      fixedBuild: '10.0.20348.2322',
      replaces: ['KB5000100'],
    },
  ],
  knownIssues: [{ description: 'Printing fails.' }],
  downloadUrl: 'https://www.catalog.update.microsoft.com/Search.aspx?q=KB5000100',
  uuid: 'aa',
  firstSeenTime: 1,
  changedTime: 1,
  withdrawnTime: null,
};
const noTables = Object.fromEntries(Object.keys(kbs.detail.tables).map((name) => [name, []]));
const risks = [
  { id: 8, cve: 'CVE-2024-0002', exploitedSince: Date.UTC(2024, 0, 10), epss: 0.94, cvss: 9.8 },
  { id: 9, cve: 'CVE-2024-0001', exploitedSince: null, epss: 0.1, cvss: null },
];

const show = (list: ReturnType<typeof getList>, record: object, source: object = {}) =>
  renderInApp(<RecordCard list={list} record={record as WireDetail} heading={{ Tag: 'h1' }} />, {
    replies: [
      reply(sourcesEndpoint, {
        objList: [
          stateOfSource({
            source: list.source as never,
            label: 'Windows',
            lastSuccessAt: Date.now() - 3 * 3_600_000,
            releases: releasedBefore(Date.now(), { daysAgo: 1 }),
            ...source,
          }),
        ],
        totalCount: 1,
      }),
      ...noUpdates,
      reply(detailEndpoint(getList('all_patches')), {
        id: 1,
        firstSeenTime: 1,
        changedTime: 1,
        withdrawnTime: null,
        severity: 'Critical',
        ratedSeverity: 'Critical',
      }),
      reply(searchEndpoint(vulnerabilities), { objList: risks as never, totalCount: 2 }),
      reply(searchEndpoint(kbs), { objList: [{ id: 42, kbId: 'KB5000300' }], totalCount: 1 }),
      reply(detailEndpoint(kbs), {
        ...noTables,
        firstSeenTime: 1,
        changedTime: 1,
        withdrawnTime: null,
        id: 42,
        size: 5_242_880,
        restartBehaviour: 'Required',
        releaseDate: Date.UTC(2024, 1, 13),
        fixedBuild: ['10.0.20348.2322'],
      } as never),
    ],
  });
const answer = (label: string) => screen.getByText(label).closest('div')?.textContent;

test('shows what to install instead, with date, build, size, restart and source', async () => {
  await show(kbs, superseded);
  expect(answer('State')).toContain('Superseded');
  await waitFor(() =>
    expect(answer('Install instead')).toBe(
      'Install insteadKB5000300 released Feb 13, 2024build 10.0.20348.23225.00 MBrestart: Required',
    ),
  );
  expect(screen.getByRole('link', { name: 'KB5000300' }).getAttribute('href')).toBe(
    '/patch-repository/record/42',
  );
  await waitFor(() =>
    expect(answer('Evidence')).toContain('According to Microsoft, read 3 hours ago.'),
  );
  expect(answer('Product')).toContain(product);
  expect(answer('Known issues')).toContain('1 known issue');
  expect(screen.getByRole('link', { name: 'www.catalog.update.microsoft.com' })).toBeTruthy();
});

test('shows the exploited CVEs and the highest scores', async () => {
  await show(kbs, superseded);
  const link = await screen.findByRole('link', { name: 'CVE-2024-0002' });
  expect(link.getAttribute('href')).toBe('/patch-repository/identifier/CVE-2024-0002');
  expect(screen.queryByRole('link', { name: 'CVE-2024-0001' })).toBeNull();
  expect(answer('Risk of this record')).toContain('Highest CVSS 9.8');
  expect(answer('Risk of this record')).toContain('Highest EPSS 94 %');
  const call = sentCalls().find(({ path }) => path === vulnerabilities.searchPath);
  expect(call?.body).toEqual({ filter: "lower(cve) in ('cve-2024-0001','cve-2024-0002')" });
});

test('says that the end of the chain is not known and that the source is stale', async () => {
  await show(
    kbs,
    { ...superseded, kbIdToBeInstalled: null },
    { lastSuccessAt: Date.now() - 5 * 86_400_000 },
  );
  expect(answer('Superseded by')).toContain('KB5000300');
  await waitFor(() => expect(answer('Evidence')).toContain('The end of the chain is not known'));
  await waitFor(() => expect(answer('Evidence')).toContain('Not synced for 5 days'));
});

test('calls a record current only when its source is fresh', async () => {
  const current = { ...superseded, superseded: false, supersedence: [], kbIdToBeInstalled: null };
  const { unmount } = await show(kbs, current);
  await waitFor(() => expect(answer('State')).toBe('State Current No successor is known.'));
  unmount();
  await show(kbs, current, { releases: releasedBefore(Date.now(), { daysAgo: 170 }) });
  await waitFor(() => expect(answer('Evidence')).toContain('later publications are not known'));
  expect(answer('State')).toBe('State Last known as current No successor is known.');
});

test('shows no scores without CVEs and no state that the vendor does not publish', async () => {
  const alma = getList('almalinux_patch');
  await show(alma, {
    id: 3,
    bulletinId: 'ALBA-2024:1',
    osVersion: ['9'],
    cve: [],
    exploited: null,
    packages: [{ name: 'bash', version: '5.1-9.el9', sourcePackage: 'bash-5.1-9.el9.src.rpm' }],
    withdrawnTime: null,
  });
  expect(answer('Risk')).toBe('RiskNo CVE known');
  expect(answer('State')).toContain('AlmaLinux does not publish which records replace others');
  expect(answer('Install')).toContain('bash-5.1-9.el9');
  expect(sentCalls().some(({ path }) => path === vulnerabilities.searchPath)).toBe(false);
});

test('shows when a record was withdrawn', async () => {
  await show(kbs, {
    ...superseded,
    superseded: false,
    supersedence: [],
    kbIdToBeInstalled: null,
    withdrawnTime: Date.UTC(2024, 5, 1),
  });
  expect(screen.getByRole('note').textContent).toContain('Sat, Jun 01, 2024 12:00 AM');
  expect(screen.queryByText('Install')).toBeNull();
});
