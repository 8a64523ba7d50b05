import type { MachineJudgement } from '@patch/contract/fleet/assessment-endpoint.ts';
import { removeMachineEndpoint } from '@patch/contract/fleet/machine-endpoints.ts';
import { recordNotesEndpoint } from '@patch/contract/records/note-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { elementText } from '../testing/element-text.ts';
import { reply, sentTo } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { accepted, due, judgement, record, showMachine } from './testing/shown-machine.tsx';

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

const unjudged = (reason: MachineJudgement['notJudged'][number]['reason']) => ({
  notJudged: true,
  judgement: { ...judgement, sources: [], notJudged: [{ reason, count: 1, names: [] }] },
});
const notKnown = (cause: string) =>
  `Not judged: ${cause}, so nothing is known about missing patches.`;

test.each([
  [{ judgedOn: null }, /^The machine is being judged: nothing is known yet/],
  [
    { judgedOn: null, reportedOn: Date.now() - 3 * 3_600_000 },
    /^The machine is waiting to be judged, reported 3 hours ago: nothing/,
  ],
  [unjudged('releaseNotInCatalogue'), notKnown('this repository has no records of the release')],
  [unjudged('nothingListed'), notKnown('the text lists nothing that is installed')],
  [
    unjudged('productUnstated'),
    notKnown('the text does not say whether the build is a client’s or a server’s'),
  ],
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
    '1 record may be missing, or needs a subscription',
  ],
  [
    { objList: [record], totalCount: 7, missingCount: 0 },
    '7 records may be missing, or need a subscription',
  ],
])('says how completely a machine is judged: %j', async (more, words) => {
  await showMachine(more);
  expect(await screen.findByText(elementText('P', words))).toBeTruthy();
});

test('says why no data was compared', async () => {
  await showMachine(unjudged('productUnstated'));
  const words = 'the text does not say whether the build is a client’s or a server’s';
  expect(await screen.findByText(`Judged with no data: ${words}.`)).toBeTruthy();
});

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
  expect(await link('1 record missing: show them')).toBe('missingOn.equal.#67108865');
  expect(await link('2 records may be missing: show them')).toBe('mayBeMissingOn.equal.#67108865');
});

test('says what the ring of the machine does not have', async () => {
  const ring = { id: 3, name: 'Pilot', checkpoint: 'Spring' };
  await showMachine({
    objList: [
      { ...record, heldBack: 'newer' },
      { ...record, recordId: 6, identifier: 'ALSA-2024:1', heldBack: 'declined' },
    ],
    totalCount: 3,
    ring: { ...ring, newer: 1, declined: 2 },
  });
  const parts = '1 newer than its checkpoint Spring and 2 declined for it';
  const advice = 'Plans and the commands below leave these out.';
  expect(await screen.findByText(`In the ring Pilot: ${parts}. ${advice}`)).toBeTruthy();
  for (const [name, words] of [
    ['ALSA-2024:2', 'Held back: newer than the ring'],
    ['ALSA-2024:1', 'Held back: declined for it'],
  ] as const)
    expect(within(screen.getByRole('row', { name: RegExp(name) })).getByText(words)).toBeTruthy();
});

test.each([unjudged('nothingListed'), { judgedOn: null }])(
  'says nothing of the ring of a machine of which nothing is known: %j',
  async (more) => {
    const ring = { id: 3, name: 'Pilot', checkpoint: 'Spring', newer: 0, declined: 0 };
    await showMachine({ ...more, ring });
    expect(await screen.findByText(/nothing is known/)).toBeTruthy();
    expect(screen.queryByText(/In the ring/)).toBeNull();
  },
);

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
  // Long versions break after their separators, and nowhere else.
  expect(row.getByText('bash 4.4.20-4.el8 → 4.4.20-6.el8').innerHTML).toContain('4.4.20-<wbr>4.');
  expect(row.getByText('Exploited')).toBeTruthy();
  expect(row.getByText('released 2024-04-01 + 30 days = due 2024-05-01')).toBeTruthy();
  expect(row.queryByText(/overdue/)).toBeNull();
});

test('says for how long a record is overdue, and where no due date is known', async () => {
  const unknown = {
    ...record,
    recordId: 6,
    identifier: 'ALSA-2024:1',
    due: { dueDate: null, overdueDays: 0, evidence: 'no release date is known: no due date' },
  };
  await showMachine({
    objList: [{ ...record, due: { ...due, overdueDays: 1 } }, unknown],
    totalCount: 2,
    overdueCount: 1,
  });
  const late = within(await screen.findByRole('row', { name: /ALSA-2024:2/ }));
  expect(late.getByText('overdue by 1 day')).toBeTruthy();
  const undated = within(screen.getByRole('row', { name: /ALSA-2024:1/ }));
  expect(undated.getByText('No due date')).toBeTruthy();
  const link = screen.getByRole('link', { name: '1 record overdue: show them' });
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(
    'overdueOn.equal.#67108865',
  );
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

test('says who deals with a missing record, and opens its notes on the machine', async () => {
  const assignee = { userId: 2, name: 'Grace', address: null };
  await showMachine({ objList: [{ ...record, assignee, notes: 2 }], totalCount: 1 }, 'Standard');
  const row = within(await screen.findByRole('row', { name: /ALSA-2024:2/ }));
  expect(row.getByText('Assigned to Grace')).toBeTruthy();
  const button = row.getByRole('button', { name: 'Notes and assignee of ALSA-2024:2' });
  expect(button.textContent).toBe('Notes: 2');
  await person.click(button);
  await screen.findByRole('dialog', { name: 'Notes and assignee: ALSA-2024:2' });
  await waitFor(() =>
    expect(sentTo(recordNotesEndpoint)).toMatchObject([
      { path: '/records/almalinux_patch/7/notes', query: { machineId: '67108865' } },
    ]),
  );
});
