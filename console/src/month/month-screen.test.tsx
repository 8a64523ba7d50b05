import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import {
  type Month,
  type MonthOfSource,
  type MonthUpdate,
  monthEndpoint,
  monthOfSourceEndpoint,
} from '@patch/contract/reports/month-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, reply, sentTo } from '../testing/fake-api.ts';
import { fillIn } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { MonthScreen } from './month-screen.tsx';

const from = Date.UTC(2026, 5, 1);
const to = Date.UTC(2026, 6, 1);
const figure = (totalCount: number, severity?: string): Figure => ({
  list: 'all_patches',
  criteria: [
    { paramName: 'releaseDate', operator: 'between', value: from, toValue: to - 1 },
    ...(severity === undefined
      ? []
      : [{ paramName: 'severity', operator: 'in' as const, value: [severity] }]),
  ],
  totalCount,
  updateCount: totalCount,
});
const none = { totalCount: 0, records: [] };
const june: Month = {
  month: '2026-06',
  from,
  to,
  countedAt: Date.UTC(2026, 6, 14, 9, 5),
  own: null,
  everything: figure(12),
  figure: figure(12),
  exploited: figure(0),
  publiclyKnown: figure(0),
  critical: figure(3, 'Critical'),
  superseded: figure(0),
  withoutProduct: figure(0),
  days: [],
  sources: [],
  withdrawn: none,
  difference: null,
  readUntil: to,
  feeds: [
    { source: 'debian', label: 'Debian', state: 'failed', lastSuccessAt: null, run: null },
    { source: 'ubuntu', label: 'Ubuntu', state: 'read', lastSuccessAt: to + 1, run: null },
  ],
};

const noSource = refuse(monthOfSourceEndpoint, 404);

const open = (month: Month, path = '/month/2026-06', ofSource = noSource) =>
  renderInApp(<MonthScreen />, {
    route: '/month/$month',
    path,
    session: {},
    replies: [reply(monthEndpoint, month), ofSource],
  });

test('shows the numbers of a month as links to their rows', async () => {
  await open(june);
  const numbers = within(await screen.findByRole('region', { name: 'In numbers' }));
  const critical = numbers.getByRole('link', { name: /^3\b/ });
  expect(critical.getAttribute('href')).toBe(
    '/patch-repository/all-patches?criteria=releaseDate.between.2026-06-01T0000Z*.2026-06-30T235959.999Z**severity.in.Critical&view=all',
  );
  expect(numbers.getByRole('link', { name: /^12\b/ })).toBeTruthy();
});

test('names the sources that may lack updates of the month', async () => {
  await open(june);
  const heading = await screen.findByRole('heading', {
    name: 'What the sources may not have read',
  });
  const feeds = heading.parentElement;
  expect(feeds?.textContent).toContain('1 of 2 sources');
  expect(feeds?.textContent).toContain('Debian');
  expect(feeds?.textContent).not.toContain('Ubuntu');
});

test('links the neighbouring months', async () => {
  await open(june);
  const months = within(await screen.findByRole('navigation', { name: 'Months' }));
  expect(months.getByRole('link', { name: 'May 2026' }).getAttribute('href')).toBe(
    '/patch-repository/month/2026-05',
  );
});

test('states the moment and the products of the numbers, as paper must', async () => {
  await open(june);
  expect(await screen.findByText('As of 2026-07-14 09:05 UTC. All products.')).toBeTruthy();
});

test('says that no products are chosen yet, and offers to choose them', async () => {
  await open(june, '/month/2026-06?products=mine');
  expect(await screen.findByText(/^You have not chosen products yet/)).toBeTruthy();
  expect(screen.getByRole('group', { name: 'My products' })).toBeTruthy();
  expect(screen.queryByText(/^None of your products/)).toBeNull();
});

test('tells a month without updates from one without updates of the chosen products', async () => {
  const own = { from: 'chosen' as const, names: ['Debian 12'], unmatched: [], further: 0 };
  await open({ ...june, own, figure: figure(0) }, '/month/2026-06?products=mine');
  expect(
    await screen.findByText('None of the 12 updates of this month is for these products'),
  ).toBeTruthy();
});

test('says that the catalogue has no update of a month', async () => {
  await open({ ...june, everything: figure(0), figure: figure(0) });
  expect(await screen.findByText('The catalogue has no update of this month')).toBeTruthy();
});

test('names the chosen products', async () => {
  const names = ['Debian 12', 'Windows 11'];
  await open({ ...june, own: { from: 'chosen', names, unmatched: ['OS/2'], further: 0 } });
  expect(await screen.findByText(/ Products \(chosen\): Debian 12; Windows 11$/)).toBeTruthy();
  expect(screen.getByText('Without a record in the catalogue: OS/2')).toBeTruthy();
});

const wsus = { source: 'wsus', label: 'Microsoft Windows', figure: figure(2) } as const;
const facts: Omit<MonthUpdate, 'row'> = {
  fix: null,
  builds: [],
  size: null,
  restart: null,
  supersedes: [],
  install: null,
  knownIssues: null,
  publiclyKnown: null,
  changedTime: from,
};

test('lists the updates of a product, and those of none under a plain name', async () => {
  const kb = { list: 'patch_repository', recordId: 71, identifier: 'KB1', title: 'Of June' };
  const rated = { severity: 'Unspecified', ratedSeverity: 'Important', exploited: true };
  const counts = { exploited: figure(1), critical: figure(0), superseded: figure(0) };
  const found: MonthOfSource = {
    ...wsus,
    furtherProducts: 0,
    updates: [
      { row: { id: 1, ...kb, ...rated }, ...facts, builds: ['10.0.1'] },
      { row: { id: 2, ...kb, recordId: 72, identifier: 'KB2' }, ...facts },
    ],
    products: [
      { names: ['Windows 11'], figure: figure(1), updates: [1] },
      { names: [], figure: figure(1), updates: [2] },
    ],
  };
  const month = { ...june, sources: [{ ...wsus, ...counts }] };
  await open(month, '/month/2026-06', reply(monthOfSourceEndpoint, found));
  const table = within(await screen.findByRole('table'));
  expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Windows 11 · 1 update',
    'KB1 exploitedOf June',
    'Updates that name no product · 1 update',
    'KB2Of June',
  ]);
  const cells = within(table.getByRole('row', { name: /^KB1/ })).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['ImportantCVSS', '10.0.1']);
  expect(
    screen.getByText('Not stated by the source: size, restart, supersedes, known issues.'),
  ).toBeTruthy();
  expect(table.getByRole('link', { name: 'KB1' }).getAttribute('href')).toBe(
    '/patch-repository/record/71',
  );
});

test('asks for what changed since a day', async () => {
  await open(june);
  await fillIn(await screen.findByLabelText(/Changed since/), '2026-06-20');
  await waitFor(() =>
    expect(sentTo(monthEndpoint).at(-1)?.query).toMatchObject({
      since: String(Date.UTC(2026, 5, 20)),
    }),
  );
});
