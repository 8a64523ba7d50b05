import { getList } from '@patch/catalogue/lists.ts';
import {
  type MachineGroup,
  machineGroupsEndpoint,
} from '@patch/contract/fleet/machine-group-endpoints.ts';
import {
  type Checkpoint,
  checkpointDifferenceEndpoint,
  checkpointsEndpoint,
  createCheckpointEndpoint,
  type ListDifference,
  removeCheckpointEndpoint,
} from '@patch/contract/licensing/checkpoint-endpoints.ts';
import {
  type CheckpointRule,
  changeCheckpointRuleEndpoint,
  checkpointRulesEndpoint,
  createCheckpointRuleEndpoint,
  removeCheckpointRuleEndpoint,
} from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import {
  changeRingEndpoint,
  createRingEndpoint,
  decideEndpoint,
  type Ring,
  type RingDecision,
  removeRingEndpoint,
  ringDecisionsEndpoint,
  ringsEndpoint,
  takeBackDecisionEndpoint,
} from '@patch/contract/licensing/ring-endpoints.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addReplies, bodiesSentTo, refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { RingsScreen } from './rings-screen.tsx';

const may: Checkpoint = { id: 1, name: 'May', createdTime: 1_000, createdBy: 'Operator' };
const june: Checkpoint = { ...may, id: 2, name: 'June' };
const pilot: Ring = {
  id: 7,
  name: 'Pilot',
  checkpoint: { id: 1, name: 'May' },
  promotedTime: 1_000,
  promotedBy: 'Operator',
  clients: [{ id: 4, name: 'North Hospital' }],
  groups: [],
  follows: null,
  passesExploited: false,
  approved: 0,
  declined: 0,
};
const patchDay: CheckpointRule = {
  id: 9,
  name: 'Patch day',
  week: 2,
  weekday: 'Tuesday',
  hour: 18,
  timeZone: 'Europe/Istanbul',
  keep: 4,
  nextTime: Date.UTC(2026, 11, 8, 15),
  problem: null,
};
const declined: RingDecision = {
  id: 3,
  list: 'kb_repository',
  label: 'KB base',
  name: 'KB5034441',
  decision: 'declined',
  reason: 'Fails without room for it',
  records: 2,
  firstRecord: 11,
  isCaughtUp: false,
  decidedTime: 1_000,
  decidedBy: 'Ada',
};
const none = { count: 0, declined: 0, passing: 0, first: [] };
const difference: ListDifference = {
  list: 'kb_repository',
  label: 'KB base',
  added: {
    count: 1200,
    declined: 0,
    passing: 0,
    first: [{ id: 1, name: 'KB5034441', title: 'Update' }],
  },
  changed: none,
  withdrawn: {
    count: 1,
    declined: 0,
    passing: 0,
    first: [{ id: 2, name: 'KB5034440', title: 'Update' }],
  },
};

const open = (
  userType: 'Admin' | 'Standard',
  rings = [pilot],
  checkpoints = [june, may],
  rules: CheckpointRule[] = [],
) =>
  renderInApp(<RingsScreen />, {
    session: { userType },
    replies: [
      reply(ringsEndpoint, { objList: rings, totalCount: rings.length }),
      reply(checkpointsEndpoint, { objList: checkpoints, totalCount: checkpoints.length }),
      reply(checkpointRulesEndpoint, { objList: rules, totalCount: rules.length }),
    ],
  });
const differs = (...objList: ListDifference[]) =>
  reply(checkpointDifferenceEndpoint, { objList, totalCount: objList.length });
const click = async (name: string) => person.click(await screen.findByRole('button', { name }));

test('says where each ring is, who moved it there, and how many clients it has', async () => {
  await open('Standard');
  const rings = await screen.findByRole('list', { name: 'Rings' });
  expect(rings.textContent).toContain('PilotOn May, 1 clientMoved there');
  expect(rings.textContent).toContain('by Operator');
  const checkpoints = await screen.findByRole('list', { name: 'Checkpoints' });
  expect(within(checkpoints).getAllByRole('listitem')).toHaveLength(2);
  const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(buttons.filter((text) => /Promote|Remove|New/.test(text))).toEqual([]);
});

test('shows what a promotion brings before the ring moves to the newest checkpoint', async () => {
  await open('Admin');
  addReplies(
    differs(difference),
    reply(changeRingEndpoint, { ...pilot, checkpoint: { id: 2, name: 'June' } }),
  );
  await click('Promote the ring Pilot');
  const dialog = await screen.findByRole('dialog', { name: 'Promote Pilot' });
  expect(await within(dialog).findByText('1,200 added: KB5034441 and 1,199 more')).toBeTruthy();
  expect(within(dialog).getByText('1 withdrawn: KB5034440')).toBeTruthy();
  expect(within(dialog).queryByText(/moves back/)).toBeNull();
  await person.click(within(dialog).getByRole('button', { name: 'Promote' }));
  await waitFor(() =>
    expect(sentTo(changeRingEndpoint)).toMatchObject([
      { path: '/rings/7', body: { checkpoint: 2 } },
    ]),
  );
  expect(sentTo(checkpointDifferenceEndpoint)).toHaveLength(1);
});

test('says that a ring moves back to an older checkpoint', async () => {
  await open('Admin', [{ ...pilot, checkpoint: { id: 2, name: 'June' } }]);
  addReplies(differs());
  await click('Promote the ring Pilot');
  expect(await screen.findByText('This checkpoint is older: the ring moves back.')).toBeTruthy();
  expect(await screen.findByText('No record differs.')).toBeTruthy();
});

test('creates a checkpoint, and shows at its name that it is taken', async () => {
  await open('Admin');
  addReplies(
    refuse(createCheckpointEndpoint, 409, {
      code: 'name_taken',
      userMessage: 'Choose another name.',
    }),
  );
  await click('New checkpoint');
  await fillIn(await screen.findByLabelText(/Name/), 'July');
  await click('Create checkpoint');
  expect(await screen.findByText('Choose another name.')).toBeTruthy();
  addReplies(reply(createCheckpointEndpoint, { ...june, id: 3, name: 'July 2' }));
  await fillIn(screen.getByLabelText(/Name/), 'July 2');
  await click('Create checkpoint');
  await waitFor(() => expect(bodiesSentTo(createCheckpointEndpoint)).toHaveLength(2));
  expect(bodiesSentTo(createCheckpointEndpoint)[1]).toEqual({ name: 'July 2' });
});

const web: MachineGroup = {
  id: 4_194_305,
  name: 'Web servers',
  criteria: null,
  owner: null,
  duePolicy: null,
  machines: 3,
  overdue: 0,
  problem: null,
};
const clientsAre = (...objList: { id: number; clientName: string }[]) =>
  reply(searchEndpoint(getList('floto_user')), { objList, totalCount: objList.length });
const groupsAre = (...objList: MachineGroup[]) =>
  reply(machineGroupsEndpoint, { objList, totalCount: objList.length });

test('creates a ring on the newest checkpoint with chosen clients and groups that report with keys', async () => {
  await open('Admin', []);
  addReplies(
    groupsAre(web, { ...web, id: 4_194_306, name: 'By criteria', criteria: '' }),
    clientsAre({ id: 4, clientName: 'North Hospital' }),
    reply(createRingEndpoint, pilot),
  );
  await click('New ring');
  await fillIn(await screen.findByLabelText(/Name/), 'Pilot');
  await person.click(screen.getByLabelText('Licensed clients'));
  await person.click(await screen.findByTitle('North Hospital'));
  await person.click(screen.getByLabelText('Groups of machines'));
  await person.click(await screen.findByTitle('Web servers'));
  expect(screen.queryByTitle('By criteria')).toBeNull();
  await click('Save ring');
  await waitFor(() =>
    expect(bodiesSentTo(createRingEndpoint)).toEqual([
      { name: 'Pilot', checkpoint: 2, clients: [4], groups: [web.id], passesExploited: false },
    ]),
  );
});

test('shows the groups of a ring, and keeps them when another field is edited', async () => {
  await open('Admin', [{ ...pilot, groups: [{ id: web.id, name: web.name }] }]);
  addReplies(clientsAre(), groupsAre(web), reply(changeRingEndpoint, pilot));
  expect(await screen.findByText('On May, 1 client, 1 group of machines')).toBeTruthy();
  await click('Edit the ring Pilot');
  await fillIn(await screen.findByLabelText(/Name/), 'First');
  await click('Save ring');
  await waitFor(() =>
    expect(bodiesSentTo(changeRingEndpoint)).toMatchObject([
      { name: 'First', clients: [4], groups: [web.id] },
    ]),
  );
});

test('removes rings and checkpoints after a question, and compares a checkpoint with now', async () => {
  await open('Admin');
  addReplies(reply(removeRingEndpoint, {}), reply(removeCheckpointEndpoint, {}), differs());
  for (const [thing, endpoint] of [
    ['the ring Pilot', removeRingEndpoint],
    ['the checkpoint May', removeCheckpointEndpoint],
  ] as const) {
    await click(`Remove ${thing}`);
    const question = await screen.findByRole('dialog', { name: `Remove ${thing}?` });
    await person.click(within(question).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sentTo(endpoint)).toHaveLength(1));
  }
  await click('Compare June with now');
  expect(await screen.findByText('No record differs.')).toBeTruthy();
});

const follows = { rule: { id: 9, name: 'Patch day' }, afterDays: 7 };

test('says when rules make checkpoints, what they keep and why one is missing, and which ring follows', async () => {
  const problem = 'The checkpoint of 2026-11-10 was not made.';
  await open('Standard', [{ ...pilot, follows }], [june, may], [{ ...patchDay, problem }]);
  const rules = await screen.findByRole('list', { name: 'Rules' });
  expect(rules.textContent).toContain(
    'On the second Tuesday of each month at 18:00, Europe/Istanbul',
  );
  expect(rules.textContent).toMatch(/Next on .*2026.*, keeps 4 checkpoints/);
  expect(within(rules).getByText(problem)).toBeTruthy();
  expect(screen.getByText('Follows Patch day, after 7 days')).toBeTruthy();
  expect(within(rules).queryAllByRole('button')).toEqual([]);
});

test('creates a rule, and shows at the number that a ring needs more checkpoints', async () => {
  await open('Admin', [pilot], [june, may], [patchDay]);
  addReplies(reply(createCheckpointRuleEndpoint, patchDay));
  await click('New rule');
  await fillIn(await screen.findByLabelText(/Name/), 'Month');
  await click('Save rule');
  await waitFor(() =>
    expect(bodiesSentTo(createCheckpointRuleEndpoint)).toMatchObject([
      { name: 'Month', week: 2, weekday: 'Tuesday', hour: 20, keep: 6 },
    ]),
  );
  addReplies(
    refuse(changeCheckpointRuleEndpoint, 409, {
      code: 'rule_keeps_too_few',
      userMessage: 'Keep more, or follow earlier.',
    }),
  );
  await click('Edit the rule Patch day');
  const dialog = await screen.findByRole('dialog', { name: 'Edit rule' });
  await fillIn(within(dialog).getByLabelText(/Checkpoints to keep/), '2');
  await person.click(within(dialog).getByRole('button', { name: 'Save rule' }));
  expect(await screen.findByText('Keep more, or follow earlier.')).toBeTruthy();
  expect(sentTo(changeCheckpointRuleEndpoint)).toMatchObject([
    { path: '/checkpoints/rules/9', body: { keep: 2, week: 2, timeZone: 'Europe/Istanbul' } },
  ]);
});

test('makes a ring follow a rule or none, and removes a rule after a question', async () => {
  const second = { ...pilot, id: 8, name: 'Second', follows };
  await open('Admin', [pilot, second], [june, may], [patchDay]);
  addReplies(
    clientsAre(),
    groupsAre(),
    reply(changeRingEndpoint, pilot),
    reply(removeCheckpointRuleEndpoint, {}),
  );
  await click('Remove the rule Patch day');
  const question = await screen.findByRole('dialog', { name: 'Remove the rule Patch day?' });
  await person.click(within(question).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(sentTo(removeCheckpointRuleEndpoint)).toHaveLength(1));
  for (const [sent, ring, choice, days] of [
    [1, 'Pilot', 'Patch day', '21'],
    [2, 'Second', 'No rule: promoted by hand', null],
  ] as const) {
    await click(`Edit the ring ${ring}`);
    const dialog = await screen.findByRole('dialog', { name: 'Edit ring' });
    await person.click(within(dialog).getByLabelText('Follows'));
    await person.click(await screen.findByTitle(choice));
    const after = days === null ? [] : [await within(dialog).findByLabelText(/After/)];
    for (const field of after) await fillIn(field, days ?? '');
    await person.click(within(dialog).getByRole('button', { name: 'Save ring' }));
    await waitFor(() => expect(bodiesSentTo(changeRingEndpoint)).toHaveLength(sent));
  }
  expect(bodiesSentTo(changeRingEndpoint)).toMatchObject([
    { name: 'Pilot', follows: { rule: 9, afterDays: 21 } },
    { name: 'Second', follows: null },
  ]);
});

test('lists what is decided for a ring, and takes a decision back after a question', async () => {
  const ring = { ...pilot, passesExploited: true, approved: 1, declined: 1 };
  await open('Admin', [ring]);
  const approved = { ...declined, id: 4, name: 'KB5034122', decision: 'approved' as const };
  addReplies(
    reply(ringDecisionsEndpoint, {
      objList: [declined, { ...approved, isCaughtUp: true, firstRecord: null }],
      totalCount: 2,
    }),
    reply(takeBackDecisionEndpoint, {}),
  );
  const rings = await screen.findByRole('list', { name: 'Rings' });
  expect(rings.textContent).toContain('Known exploited CVEs pass1 approved, 1 declined');
  await click('Decisions for the ring Pilot');
  const list = await screen.findByRole('list', { name: 'Decisions' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(first?.textContent).toMatch(
    /^KB5034441 DeclinedKB base, 2 recordsFails without room for it.* by Ada/,
  );
  expect(second?.textContent).toContain('2 records, which the checkpoint has as they are now');
  expect(within(list).getByRole('link').getAttribute('href')).toContain('/record/11');
  await click('Take back the decision about KB5034441');
  expect(await screen.findByText('Take the decision about KB5034441 back?')).toBeTruthy();
  await click('Take back');
  await waitFor(() =>
    expect(sentTo(takeBackDecisionEndpoint)).toMatchObject([{ path: '/rings/decisions/3' }]),
  );
});

test('decides about a name with a reason, and shows at the name that no record has it', async () => {
  await open('Admin');
  addReplies(
    reply(ringDecisionsEndpoint, { objList: [], totalCount: 0 }),
    refuse(decideEndpoint, 404, { code: 'not_found', userMessage: 'No record has it.' }),
  );
  await click('Decisions for the ring Pilot');
  const dialog = await screen.findByRole('dialog', { name: 'Approved and declined for Pilot' });
  expect(await within(dialog).findByText(/^Nothing is approved or declined/)).toBeTruthy();
  await person.click(within(dialog).getByLabelText('Decision'));
  await person.click(await screen.findByTitle('Declined'));
  await person.click(within(dialog).getByLabelText(/^List/));
  await person.click(await screen.findByTitle(getList('almalinux_patch').label));
  await fillIn(within(dialog).getByLabelText(/^KB, advisory/), 'ALSA-2026:1');
  await fillIn(within(dialog).getByLabelText(/^Reason/), 'Breaks the boot');
  await click('Save decision');
  expect(await screen.findByText('No record has it.')).toBeTruthy();
  addReplies(reply(decideEndpoint, declined));
  await click('Save decision');
  await waitFor(() =>
    expect(sentTo(decideEndpoint)[1]).toMatchObject({
      path: '/rings/7/decisions',
      body: {
        list: 'almalinux_patch',
        name: 'ALSA-2026:1',
        decision: 'declined',
        reason: 'Breaks the boot',
      },
    }),
  );
  expect(await screen.findByText('ALSA-2026:1 is declined for Pilot.')).toBeTruthy();
});

test('lets readers see what is decided, and changes nothing', async () => {
  await open('Standard');
  addReplies(reply(ringDecisionsEndpoint, { objList: [declined], totalCount: 1 }));
  await click('Decisions for the ring Pilot');
  const dialog = await screen.findByRole('dialog', { name: 'Approved and declined for Pilot' });
  expect(await within(dialog).findByText('Fails without room for it')).toBeTruthy();
  const buttons = within(dialog).getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).not.toContain('Save decision');
  expect(within(dialog).queryByRole('button', { name: /Take back/ })).toBeNull();
});

test('says how many of the records that a promotion brings are declined or passed already', async () => {
  await open('Admin');
  const added = { ...difference.added, declined: 3, passing: 20 };
  addReplies(differs({ ...difference, added }));
  await click('Promote the ring Pilot');
  expect(
    await screen.findByText(
      '1,200 added: KB5034441 and 1,199 more; 3 of them declined; 20 of them passed already',
    ),
  ).toBeTruthy();
  expect(sentTo(checkpointDifferenceEndpoint)).toMatchObject([
    { query: { from: '1', to: '2', ring: '7' } },
  ]);
});
