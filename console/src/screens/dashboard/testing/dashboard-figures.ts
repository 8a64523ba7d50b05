/** Figures of a dashboard on which each card has something to show. */
import type { dashboardEndpoint } from '@patch/contract/reports/dashboard-endpoint.ts';
import type { z } from 'zod';

export type Figures = z.output<typeof dashboardEndpoint.reply>;

export const day = 86_400_000;
export const figure = (list: string, criteria: readonly object[], count: number) =>
  ({ list, criteria, totalCount: count, updateCount: count }) as Figures['clients'];
const critical = { paramName: 'severity', operator: 'equal', value: 'Critical' };
const inWeek = (from: number) => ({
  paramName: 'releaseDate',
  operator: 'between',
  value: from,
  toValue: from + 7 * day - 1,
});
const monday = Date.UTC(2026, 10, 16);
const misses = { paramName: 'misses', operator: 'in', value: ['almalinux_patch/4'] };
const shellshock = {
  row: {
    id: 9,
    list: 'almalinux_patch',
    recordId: 4,
    identifier: 'ALSA-9',
    title: 'openssl security update',
    packages: ['openssl', 'openssl-libs'],
    release: ['AlmaLinux 8'],
    severity: 'Critical',
    ratedSeverity: 'Critical',
    exploited: true,
    releaseDate: Date.UTC(2026, 10, 3),
    cve: ['CVE-2026-1', 'CVE-2026-2'],
  },
  machines: figure('machines', [misses], 12),
  closes: [],
  closesExploited: 0,
  exploitedCves: 1,
  exploitedSince: Date.UTC(2026, 10, 10),
  replaces: null,
  restart: null,
  knownIssues: null,
};
export const open = { paramName: 'superseded', operator: 'not_equal', value: true };
export const figures: Figures = {
  patchFirst: {
    own: null,
    others: null,
    figure: figure('all_patches', [open], 22),
    updates: [shellshock],
    backlog: {
      exploited: figure('all_patches', [open], 14),
      critical: figure('all_patches', [critical, open], 6),
    },
  },
  news: {
    since: Date.UTC(2026, 10, 20, 9),
    sinceReason: 'last_visit',
    isFirstSync: false,
    cves: {
      figure: figure(
        'vulnerabilities',
        [{ paramName: 'cve', operator: 'in', value: ['CVE-2026-1'] }],
        1,
      ),
      rows: [{ id: 1, cve: 'CVE-2026-10001', title: 'A flaw', exploitedSince: monday }],
    },
    fixes: figure('all_patches', [{ paramName: 'cve', operator: 'in', value: ['CVE-2026-1'] }], 2),
    patches: {
      figure: figure(
        'all_patches',
        [{ paramName: 'exploited', operator: 'equal', value: true }],
        3,
      ),
      rows: [{ id: 5, list: 'almalinux_patch', recordId: 7, identifier: 'ALSA-1', title: 'bash' }],
    },
  },
  critical: [
    { vendor: 'Microsoft', figure: figure('all_patches', [critical], 12) },
    { vendor: null, figure: figure('all_patches', [critical], 1) },
  ],
  weeks: [
    ...[2, 1].map((ago) => {
      const from = monday - ago * 7 * day;
      return {
        from,
        to: from + 7 * day,
        figure: figure('all_patches', [inWeek(from)], 1),
        severities: [],
      };
    }),
    {
      from: monday,
      to: monday + 7 * day,
      figure: figure('all_patches', [inWeek(monday)], 5),
      severities: [
        { severity: 'Low', figure: figure('all_patches', [inWeek(monday)], 3) },
        { severity: 'Critical', figure: figure('all_patches', [critical, inWeek(monday)], 2) },
      ],
    },
  ],
  clients: figure('floto_user', [], 4),
  licencesEnding: figure('floto_user', [], 0),
  licencesEnded: figure('floto_user', [], 0),
  silentClients: figure('floto_user', [], 1),
};
