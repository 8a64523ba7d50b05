import { getList } from '@patch/catalogue/lists.ts';
import type { MachineJudgement } from '@patch/contract/assessment-endpoint.ts';
import {
  acceptMissingEndpoint,
  clientExceptionsEndpoint,
  clientMachinesEndpoint,
  endExceptionEndpoint,
  fleetSummaryEndpoint,
  machineMissingEndpoint,
  recordMachinesEndpoint,
  removeMachineEndpoint,
} from '@patch/contract/machine-endpoints.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import type { HttpHandler } from 'msw/http';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { reply, sentTo } from '../testing/fake-api.ts';
import { noCounts } from '../testing/no-machines.ts';
import { person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { buildJudgement, missingRecord } from '../testing/service-values.ts';
import { ClientExceptions } from './client-exceptions.tsx';
import { ClientMachines } from './client-machines.tsx';
import { FleetCard } from './fleet-card.tsx';
import { MachinePanel } from './machine-panel.tsx';
import { RecordMachines } from './record-machines.tsx';
import { useFleetSummary } from './use-fleet.ts';

const record = { ...missingRecord, accepted: null };

const judgement: MachineJudgement = {
  ...buildJudgement(411),
  system: null,
  notJudged: [],
  noAdvisory: { count: 0, names: [], sources: [] },
  leftOut: [],
  machine: { packages: 411, kbs: 0, applications: 0 },
};
const partlyJudged: MachineJudgement = {
  ...judgement,
  sources: judgement.sources.map((one) => ({ ...one, concern: 'Not synced for 9 days' })),
  verdicts: { ...judgement.verdicts, compared: 393, fixed: 392, notJudged: 18 },
  notJudged: [{ reason: 'otherRepository', count: 18, names: ['acl', 'attr'] }],
};
const withoutAdvisory: MachineJudgement = {
  ...judgement,
  verdicts: { ...judgement.verdicts, compared: 128, fixed: 127, noAdvisory: 283 },
  noAdvisory: {
    count: 283,
    names: ['acl', 'attr'],
    sources: [{ label: 'AlmaLinux', upTo: Date.UTC(2025, 1, 12) }],
  },
};

type Missing = z.output<typeof machineMissingEndpoint.reply>;

const showMachine = (
  more: Partial<Missing> = {},
  userType: 'Admin' | 'Standard' = 'Admin',
  ...replies: readonly HttpHandler[]
) =>
  renderInApp(<MachinePanel id={67108865} />, {
    session: { userType },
    replies: [
      ...replies,
      reply(machineMissingEndpoint, {
        objList: [],
        totalCount: 0,
        acceptedCount: 0,
        bands: [],
        install: [],
        installCommand: null,
        missingCount: (more.totalCount ?? 0) - (more.acceptedCount ?? 0),
        judgedOn: 1,
        reportedOn: Date.now(),
        notJudged: false,
        judgement,
        ...more,
      }),
    ],
  });

test.each([
  [{ judgedOn: null }, /^The machine is being judged: nothing is known yet/],
  [
    { judgedOn: null, reportedOn: Date.now() - 3 * 3_600_000 },
    /^The machine is waiting to be judged, reported 3 hours ago: nothing/,
  ],
  [{ notJudged: true }, /Not judged: this repository has no records/],
  [{}, 'Nothing is missing of what this repository knows.'],
  [{ judgement: partlyJudged }, 'No missing patch could be proven.'],
  [{ objList: [record], totalCount: 1 }, '1 record missing'],
  [{ objList: [record], totalCount: 1, judgement: partlyJudged }, 'At least 1 record missing'],
  [
    { objList: [record], totalCount: 3, missingCount: 1 },
    '1 record missing, and 2 more may be, or need a subscription',
  ],
  [
    { objList: [record], totalCount: 1, missingCount: 0 },
    '1 record may be, or needs a subscription',
  ],
])('says how completely a machine is judged: %j', async (more, words) => {
  await showMachine(more);
  expect(await screen.findByText(withText(words))).toBeTruthy();
});

/** Matches the innermost element with this text, of which a number may be a link. */
const withText = (words: string | RegExp) => (_: string, element: Element | null) =>
  element?.tagName === 'P' &&
  (typeof words === 'string'
    ? element.textContent?.trim() === words
    : words.test(element.textContent ?? ''));

test('links the numbers of a machine to its records', async () => {
  await showMachine({
    objList: [record, accepted],
    totalCount: 4,
    acceptedCount: 1,
    missingCount: 1,
  });
  const link = async (name: string) =>
    new URL(
      (await screen.findByRole('link', { name })).getAttribute('href') ?? '',
      'http://x',
    ).searchParams.get('criteria');
  expect(await link('1 records missing: show them')).toBe('missingOn.equal.#67108865');
  expect(await link('2 records may be missing: show them')).toBe('mayBeMissingOn.equal.#67108865');
});

test('says which packages no advisory names, and with which data', async () => {
  await showMachine({ judgement: withoutAdvisory });
  expect(await screen.findByText('Nothing is missing of what this repository knows.')).toBeTruthy();
  expect(
    screen.getByText('411 packages: 128 compared, 283 without an advisory, 0 not judged'),
  ).toBeTruthy();
  const evidence =
    '283 without an advisory: no record of AlmaLinux data up to 12 Feb 2025 names the package (acl, attr, …).';
  expect(screen.getByText(evidence)).toBeTruthy();
});

test('shows the date of the data first, and what was not judged', async () => {
  await showMachine({ judgement: partlyJudged });
  const source = 'Judged with AlmaLinux data up to 12 Feb 2025 (Not synced for 9 days).';
  expect(await screen.findByText(source)).toBeTruthy();
  expect(screen.getByText('411 packages: 393 compared, 18 not judged')).toBeTruthy();
  const reason =
    '18 not judged: the build is of a repository that is not in the catalogue (acl, attr, …).';
  expect(screen.getByText(reason)).toBeTruthy();
});

test('shows each missing record with its evidence', async () => {
  await showMachine({ objList: [record], totalCount: 1 });
  const row = within(await screen.findByRole('row', { name: /ALSA-2024:2/ }));
  expect(row.getByRole('link').getAttribute('href')).toBe(
    '/patch-repository/almalinux-patch/record/7',
  );
  expect(row.getByText('bash 4.4.20-4.el8 → 4.4.20-6.el8')).toBeTruthy();
  expect(row.getByText('Exploited')).toBeTruthy();
});

test('says what closes the missing records, with the command, as the machine check does', async () => {
  const closed = {
    ...record,
    recordId: 6,
    identifier: 'ALSA-2024:1',
    supersededBy: ['ALSA-2024:2'],
  };
  const step = { list: 'almalinux_patch', recordId: 7, identifier: 'ALSA-2024:2' };
  const command = 'dnf upgrade --advisory=ALSA-2024:2';
  await showMachine({
    objList: [record, closed],
    totalCount: 2,
    bands: [{ band: 'exploited', missing: 2, closed: 2, install: ['ALSA-2024:2'], command }],
    install: [{ ...step, command, restart: 'Reboot' }],
    installCommand: command,
  });
  const band = within(await screen.findByRole('region', { name: 'Exploited now' }));
  expect(band.getByText('1 update closes all 2.')).toBeTruthy();
  expect(band.getByText('Exploited now: 2')).toBeTruthy();
  expect(band.getByRole('button', { name: 'Copy command' })).toBeTruthy();
  expect(band.getByRole('code').textContent).toBe(command);
  const row = within(screen.getByRole('row', { name: /ALSA-2024:1/ }));
  expect(row.getByText('Closed by ALSA-2024:2')).toBeTruthy();
});

test('removes a machine after confirmation', async () => {
  await showMachine({}, 'Admin', reply(removeMachineEndpoint, {}));
  await person.click(await screen.findByRole('button', { name: 'Remove machine' }));
  await person.click(await screen.findByRole('button', { name: 'Remove' }));
  await waitFor(() =>
    expect(sentTo(removeMachineEndpoint)).toMatchObject([{ path: '/machines/67108865' }]),
  );
});

const accepted = {
  ...record,
  recordId: 8,
  identifier: 'ALSA-2024:9',
  accepted: {
    exceptionId: 3,
    until: Date.UTC(2031, 4, 12, 12),
    reason: 'Behind a firewall',
    by: 'Ada',
    forClient: true,
  },
};
const oneAccepted = (userType: 'Admin' | 'Standard') =>
  showMachine(
    { objList: [record, accepted], totalCount: 2, acceptedCount: 1 },
    userType,
    reply(acceptMissingEndpoint, accepted.accepted),
    reply(endExceptionEndpoint, {}),
  );

test('counts accepted records separately, with reason, end and author', async () => {
  await oneAccepted('Standard');
  expect(
    await screen.findByText(withText('1 record missing and 1 accepted, see below')),
  ).toBeTruthy();
  const section = within(await screen.findByRole('region', { name: 'Accepted records' }));
  expect(await section.findByText('Behind a firewall')).toBeTruthy();
  expect(section.getByText('until May 12, 2031, by Ada')).toBeTruthy();
  expect(section.getByText('On all machines of the client')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'ALSA-2024:9' })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /Accept|End/ })).toBeNull();
});

test('accepts a missing record with a reason', async () => {
  await oneAccepted('Admin');
  await person.click(await screen.findByRole('button', { name: 'Accept ALSA-2024:2' }));
  const dialog = within(await screen.findByRole('dialog', { name: /ALSA-2024:2 is missing/ }));
  await person.click(await dialog.findByRole('button', { name: 'Accept' }));
  expect(await dialog.findByText('Reason field is required')).toBeTruthy();
  expect(sentTo(acceptMissingEndpoint)).toEqual([]);
  await person.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Replaced in spring');
  await person.click(dialog.getByRole('button', { name: 'Accept' }));
  const { list, recordId } = record;
  await waitFor(() =>
    expect(sentTo(acceptMissingEndpoint)).toMatchObject([
      {
        path: '/machines/67108865/exceptions',
        body: { list, recordId, reason: 'Replaced in spring', forClient: false },
      },
    ]),
  );
});

test('ends an exception after confirmation', async () => {
  await oneAccepted('Admin');
  await person.click(
    await screen.findByRole('button', { name: 'End the exception for ALSA-2024:9' }),
  );
  await person.click(await screen.findByRole('button', { name: 'End exception' }));
  await waitFor(() =>
    expect(sentTo(endExceptionEndpoint)).toMatchObject([{ path: '/machines/exceptions/3' }]),
  );
});

test.each(['Admin', 'Standard'] as const)(
  'lists the accepted records of a client: %s',
  async (userType) => {
    const { forClient: _, ...exception } = accepted.accepted;
    await renderInApp(<ClientExceptions id={4} />, {
      session: { userType },
      replies: [
        reply(clientExceptionsEndpoint, {
          objList: [
            {
              ...exception,
              list: 'almalinux_patch',
              recordId: 8,
              identifier: 'ALSA-2024:9',
              title: 'bash update',
              machineId: null,
              machine: null,
            },
          ],
          totalCount: 1,
        }),
      ],
    });
    const row = within(await screen.findByRole('row', { name: /ALSA-2024:9/ }));
    expect(row.getByText('All machines')).toBeTruthy();
    expect(row.getByText('Behind a firewall')).toBeTruthy();
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
        totalCount: 3,
        missing: 2,
        uncertain: 1,
        accepted: 0,
        misses: 'ALSA-2024:2',
      }),
    ],
  });
  expect(await screen.findByRole('heading', { name: 'Machines that miss it' })).toBeTruthy();
  expect(screen.getByText(withText('Missing on 2 machines, and perhaps on 1 more.'))).toBeTruthy();
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
    await screen.findByText(withText(/Missing 9 critical and 0 important records/)),
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
        notJudged: 7,
        talliedOn: 1,
        beingJudged: 1,
        beingJudgedSince: Date.now() - 2 * 3_600_000,
        records: [{ ...record, machines: 60, misses: 'ALSA-2024:2' }],
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
      (_, element) =>
        element?.tagName === 'FIGCAPTION' &&
        /10 2 days ago, 4 today. Now 3 machines miss any/.test(element.textContent ?? ''),
    ),
  ).toBeTruthy();
  expect(
    screen.getByRole('link', { name: '60 machines miss ALSA-2024:2: show them' }),
  ).toBeTruthy();
  expect(
    screen.getByText(
      (_, element) =>
        element?.tagName === 'LI' &&
        element.textContent === '1 waiting to be judged, reported 2 hours ago',
    ),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: /7 machines are not judged/ })).toBeTruthy();
});
