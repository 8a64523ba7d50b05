import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import {
  type Month,
  monthEndpoint,
  monthOfSourceEndpoint,
} from '@patch/contract/month-endpoints.ts';
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

const open = (month: Month, path = '/month/2026-06') =>
  renderInApp(<MonthScreen />, {
    route: '/month/$month',
    path,
    session: {},
    replies: [reply(monthEndpoint, month), refuse(monthOfSourceEndpoint, 404)],
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

test('asks for what changed since a day', async () => {
  await open(june);
  await fillIn(await screen.findByLabelText(/Changed since/), '2026-06-20');
  await waitFor(() =>
    expect(sentTo(monthEndpoint).at(-1)?.query).toMatchObject({
      since: String(Date.UTC(2026, 5, 20)),
    }),
  );
});
