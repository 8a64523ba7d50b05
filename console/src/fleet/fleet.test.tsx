import { getList } from '@patch/catalogue/lists.ts';
import { exceptionsEndpoint } from '@patch/contract/fleet/exception-endpoints.ts';
import {
  clientMachinesEndpoint,
  fleetSummaryEndpoint,
  recordMachinesEndpoint,
} from '@patch/contract/fleet/machine-endpoints.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { elementText } from '../testing/element-text.ts';
import { reply } from '../testing/fake-api.ts';
import { noCounts, noExposure } from '../testing/no-machines.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { missingRecord } from '../testing/service-values.ts';
import { ClientExceptions } from './accepted-records.tsx';
import { ClientMachines } from './client-machines.tsx';
import { FleetCard } from './fleet-card.tsx';
import { RecordMachines } from './record-machines.tsx';
import { useFleetSummary } from './use-fleet.ts';

test.each(['Admin', 'Standard'] as const)(
  'lists the accepted records of a client: %s',
  async (userType) => {
    await renderInApp(<ClientExceptions id={4} />, {
      session: { userType },
      replies: [
        reply(exceptionsEndpoint, {
          objList: [
            {
              exceptionId: 3,
              kind: 'waiting',
              until: Date.UTC(2031, 4, 12, 12),
              reason: 'Behind a firewall',
              by: 'Ada',
              owner: null,
              scope: 'client',
              list: 'almalinux_patch',
              recordId: 8,
              identifier: 'ALSA-2024:9',
              title: 'bash update',
              machineId: null,
              name: 'North',
              machines: null,
              holds: true,
              withdrawnTime: null,
            },
          ],
          totalCount: 1,
          counts: { accepted: 0, not_applicable: 0, waiting: 1, endSoon: 0 },
        }),
      ],
    });
    const row = within(await screen.findByRole('row', { name: /ALSA-2024:9/ }));
    expect(row.getByText('On all machines of North')).toBeTruthy();
    expect(row.getByText(/^Waiting: Behind a firewall/)).toBeTruthy();
    expect(row.queryAllByRole('button')).toHaveLength(userType === 'Admin' ? 1 : 0);
  },
);

test('lists the machines that miss a record', async () => {
  await renderInApp(<RecordMachines list="almalinux_patch" id={7} Heading="h2" />, {
    replies: [
      reply(recordMachinesEndpoint, {
        objList: [
          {
            id: 67108865,
            name: 'web-1',
            machineKey: 'a',
            clientId: 1,
            client: 'North',
            platform: 'linux',
            release: 'AlmaLinux 8.9',
            lastSeen: 1,
            state: 'missing',
            accepted: false,
          },
        ],
        ...noExposure,
        totalCount: 3,
        machines: 3,
        missing: 2,
        uncertain: 1,
        misses: 'ALSA-2024:2',
      }),
    ],
  });
  expect(await screen.findByRole('heading', { name: 'Machines that miss it' })).toBeTruthy();
  expect(
    screen.getByText(elementText('P', 'Missing on 2 machines, and perhaps on 1 more.')),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'web-1' }).getAttribute('href')).toBe(
    '/patch-repository/machines/record/67108865',
  );
});

test('summarises the machines of a client, each number with its search', async () => {
  await renderInApp(<ClientMachines id={4} reportsMachines />, {
    replies: [
      reply(searchEndpoint(getList('all_patches')), ({ body }) => ({
        objList: [],
        totalCount: (body as { filter: string }).filter.includes("'critical'") ? 9 : 0,
      })),
      reply(clientMachinesEndpoint, {
        ...noCounts,
        machines: 12,
        beingJudged: 2,
        beingJudgedSince: Date.now(),
        machinesMissing: 5,
        notJudged: 3,
        missingCritical: 9,
        accepted: 0,
        lastSeen: 1,
      }),
    ],
  });
  expect(
    await screen.findByText(elementText('P', /Missing 9 critical and 0 important records/)),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: '2 being judged: show them' })).toBeTruthy();
  const href = screen.getByRole('link', { name: /5 miss something/ }).getAttribute('href') ?? '';
  expect(decodeURIComponent(href)).toContain('clientId');
  const unjudged = screen.getByRole('link', { name: /3 not judged/ }).getAttribute('href') ?? '';
  expect(decodeURIComponent(unjudged)).toMatch(/clientId.*notJudged/);
});

test('lists the records that most machines miss on the dashboard', async () => {
  function Card() {
    const { data } = useFleetSummary();
    return data === undefined ? null : <FleetCard summary={data} />;
  }
  const day = { machines: 100, machinesMissing: 60, missingExploited: 1 };
  await renderInApp(<Card />, {
    replies: [
      reply(searchEndpoint(getList('machines')), { objList: [], totalCount: 3 }),
      reply(fleetSummaryEndpoint, {
        ...noCounts,
        machines: 100,
        machinesMissing: 60,
        machinesOverdue: 50,
        notJudged: 7,
        talliedOn: 1,
        beingJudged: 1,
        beingJudgedSince: Date.now() - 2 * 3_600_000,
        records: [{ ...missingRecord, machines: 60, misses: 'ALSA-2024:2' }],
        trend: [
          { ...day, day: 0, missingCritical: 10 },
          { ...day, day: 86_400_000, missingCritical: 4 },
        ],
      }),
    ],
  });
  expect(await screen.findByRole('link', { name: 'ALSA-2024:2' })).toBeTruthy();
  expect(
    await screen.findByText(
      elementText('FIGCAPTION', /10 2 days ago, 4 today. Now 3 machines miss any/),
    ),
  ).toBeTruthy();
  expect(
    screen.getByRole('link', { name: '60 machines miss ALSA-2024:2: show them' }),
  ).toBeTruthy();
  expect(
    screen.getByText(elementText('LI', '1 waiting to be judged, reported 2 hours ago')),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: /7 machines are not judged/ })).toBeTruthy();
  const overdue = screen.getByRole('link', { name: /50 machines have overdue records/ });
  expect(overdue.getAttribute('href')).toContain('overdue.is_not_null');
});
