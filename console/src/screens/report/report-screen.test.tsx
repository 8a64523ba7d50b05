import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import {
  type GroupReport,
  groupReportEndpoint,
} from '@patch/contract/reports/group-report-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentTo } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { curveLines, presentSince } from './curve-lines.ts';
import { ReportScreen } from './report-screen.tsx';

const day = 86_400_000;
const from = Date.UTC(2026, 8, 1);
const countedAt = from + 89 * day + 9 * 3_600_000;
const figure = (totalCount: number, paramName?: string): Figure => ({
  list: 'machines',
  criteria: [
    { paramName: 'group', operator: 'equal', value: 'Web' },
    ...(paramName === undefined
      ? []
      : [{ paramName, operator: 'greater_than' as const, value: 0 }]),
  ],
  totalCount,
  updateCount: totalCount,
});
const onDay = (index: number, machinesMissing: number, present = true) => ({
  day: from + index * day,
  machines: 10,
  machinesMissing,
  machinesExploited: 1,
  machinesUnjudged: 0,
  machinesOverdue: null,
  present,
});
const report: GroupReport = {
  group: { id: 1, name: 'Web', criteria: '' },
  days: 90,
  from,
  countedAt,
  machines: figure(10),
  machinesMissing: figure(7, 'missing'),
  machinesExploited: figure(1, 'missingExploited'),
  machinesCritical: figure(3, 'missingCritical'),
  machinesOverdue: figure(2),
  machinesAccepted: figure(0),
  machinesMayMiss: figure(0, 'mayMiss'),
  missingNothing: figure(1),
  notJudged: figure(1),
  beingJudged: figure(0),
  silent: figure(1),
  curve: [onDay(0, 9), onDay(1, 8), onDay(4, 7)],
  patchedSince: from + 10 * day,
  patched: [{ band: 'serious', records: 3, meanDays: 17 / 3, medianDays: 6 }],
  exceptionsUntil: countedAt + 30 * day,
  exceptionCount: 0,
  exceptions: [],
  followedSources: 12,
  sources: [
    { source: 'debian', label: 'Debian', freshness: 'stale', words: 'Not synced for 5 days' },
  ],
};

const open = (shown: GroupReport, path = '/report?group=Web') =>
  renderInApp(<ReportScreen />, {
    route: '/report',
    path,
    session: {},
    replies: [
      reply(groupReportEndpoint, shown),
      reply(machineGroupsEndpoint, { objList: [], totalCount: 0 }),
    ],
  });

test('shows numbers as links to their machines', async () => {
  await open(report);
  const link = await screen.findByRole('link', { name: '7 miss something: show them' });
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain('missing.greater_than.0');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Report of Web');
});

test('has the days of the curve as a table, and says which have no counts', async () => {
  await open(report);
  const table = (await screen.findAllByRole('table', { hidden: true }))[0] as HTMLElement;
  const rows = within(table).getAllByRole('row', { hidden: true });
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
    '2026-09-05107not counted10',
    '2026-09-02108not counted10',
    '2026-09-01109not counted10',
  ]);
  expect(screen.getByText(/^87 of 90 days have no counts/)).toBeTruthy();
});

test('says since when days are of the present criteria', async () => {
  await open({ ...report, curve: [onDay(0, 9, false), onDay(1, 8), onDay(2, 8)] });
  expect(await screen.findByText(/of the present ones from 2026-09-02 on/)).toBeTruthy();
});

test('says which sources nobody can rely on, and since when patched records are kept', async () => {
  await open(report);
  expect(await screen.findByText(/Not synced for 5 days/)).toBeTruthy();
  expect(screen.getByText(/Kept since 2026-09-11/)).toBeTruthy();
  expect(
    screen.getByRole('row', { name: 'Critical and important 3 5.7 days 6 days' }),
  ).toBeTruthy();
  expect(screen.getByRole('row', { name: 'Known exploited 0 – –' })).toBeTruthy();
});

test('asks for the group and the period of the address', async () => {
  await open(report, '/report?group=Web&days=7');
  await waitFor(() =>
    expect(sentTo(groupReportEndpoint).at(-1)?.query).toEqual({ group: 'Web', days: '7' }),
  );
});

test('opens the first of their groups for a user of some groups, and offers no other', async () => {
  const web = { id: 1, name: 'Web', criteria: '', owner: null, duePolicy: null };
  const group = { ...web, machines: 10, overdue: 0, problem: null };
  await renderInApp(<ReportScreen />, {
    route: '/report',
    path: '/report',
    session: { userType: 'Standard', machineGroups: [1] },
    replies: [
      reply(groupReportEndpoint, report),
      reply(machineGroupsEndpoint, { objList: [group], totalCount: 1 }),
    ],
  });
  await waitFor(() =>
    expect(sentTo(groupReportEndpoint).map(({ query }) => query)).toEqual([
      { group: 'Web', days: '90' },
    ]),
  );
  const options = within(screen.getByRole('combobox', { name: 'Group' })).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Web']);
});

const scale = { from, top: 10 };

test('breaks a line where a day has no counts, and where the criteria changed', () => {
  const curve = [onDay(0, 9, false), onDay(1, 8, false), onDay(2, 8), onDay(3, 6), onDay(6, 5)];
  expect(curveLines(curve, 'machinesMissing', scale)).toEqual([
    { path: 'M0 1L1 2', isDot: false, present: false },
    { path: 'M2 2L3 4', isDot: false, present: true },
    { path: 'M6 5L6 5', isDot: true, present: true },
  ]);
  expect(curveLines(curve, 'machinesOverdue', scale)).toEqual([]);
});

test('tells days of other criteria from days of the present ones', () => {
  expect(presentSince([onDay(0, 1), onDay(1, 1)])).toBeNull();
  expect(presentSince([onDay(0, 1, false), onDay(1, 1)])).toBe(from + day);
  expect(presentSince([onDay(0, 1, false)])).toBeUndefined();
});
