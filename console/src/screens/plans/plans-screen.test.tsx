import {
  createPlanEndpoint,
  type Plan,
  type PlanTask,
  type PlanUpdate,
  planEndpoint,
  plansEndpoint,
  removePlanEndpoint,
  schedulePlanTaskEndpoint,
  type TaskState,
  taskStates,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PlanUpdates } from '../../fleet/plan-updates.tsx';
import { progressWords } from '../../fleet/plan-words.ts';
import { addReplies, bodiesSentTo, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { PlanScreen } from './plan-screen.tsx';
import { PlanTaskCard } from './plan-task-card.tsx';
import { PlansScreen } from './plans-screen.tsx';

const states = (counts: Partial<Record<TaskState, number>>) =>
  ({ ...Object.fromEntries(taskStates.map((state) => [state, 0])), ...counts }) as Plan['states'];

const summary = {
  id: 3,
  name: 'June',
  criteria: '',
  choice: 'serious' as const,
  records: [],
  createdAt: Date.UTC(2026, 5, 9),
  createdBy: 'operator',
  machines: 5,
  unjudged: 2,
  unclosed: 1,
  mayMiss: 4,
  leftOut: 0,
  tasks: 1,
  states: states({ done: 1, failed: 1, open: 1 }),
};

const kernel: PlanUpdate = {
  list: 'almalinux_patch',
  recordId: 7,
  identifier: 'ALSA-2026:2',
  title: 'kernel security update',
  severity: 'Critical',
  exploited: true,
  restart: 'Reboot',
  closes: ['ALSA-2026:1'],
  knownIssues: null,
  due: {
    dueDate: Date.UTC(2026, 5, 30),
    overdueDays: 12,
    evidence: 'CISA: due 2026-06-30',
  },
};

const task: PlanTask = {
  position: 0,
  system: 'AlmaLinux 9',
  manager: 'dnf',
  command: 'dnf upgrade --advisory=ALSA-2026:2',
  restart: 'Reboot',
  updates: [kernel],
  window: null,
  states: states({ done: 1, open: 1 }),
  machines: [
    { id: 1, state: 'done' },
    { id: 2, state: 'open' },
    { id: 9, state: 'unknown' },
    { id: 3, state: 'moved', movedTo: 'AlmaLinux 10' },
  ],
};
const { tasks: _tasks, ...facts } = summary;
const plan: Plan = {
  ...facts,
  tasks: [task],
  names: [],
  sameNames: [],
  nothingToDo: 0,
  notJudged: [],
  beingJudged: [],
  notClosed: [],
  heldBack: [],
};
const names = [
  { id: 1, name: 'web-1' },
  { id: 2, name: 'web-2' },
  { id: 3, name: 'web-3' },
];

test('says how far a plan is and what it does not cover', async () => {
  await renderInApp(<PlansScreen />, {
    session: { userType: 'Standard' },
    replies: [reply(plansEndpoint, { objList: [summary], totalCount: 1 })],
  });
  const [row] = await screen.findAllByRole('listitem');
  expect(row?.textContent).toContain('1 of 3 machines done, 1 failed, 1 open');
  expect(row?.textContent).toContain(
    'Nothing is known of 2 machines; 4 machines with nothing to install may miss records, or need a subscription; no known update closes 1 record.',
  );
  expect(screen.getByRole('link', { name: 'June' }).getAttribute('href')).toBe(
    '/patch-repository/plans/3',
  );
  expect(screen.queryByRole('button', { name: /Remove/ })).toBeNull();
});

test.each([
  ['Standard', 'No plans yet.'],
  ['Operator', 'No plans yet. Choose machines in their list, then “Plan updates”.'],
] as const)('says how to plan only to who may: %s', async (userType, words) => {
  await renderInApp(<PlansScreen />, {
    session: { userType },
    replies: [reply(plansEndpoint, { objList: [], totalCount: 0 })],
  });
  expect(await screen.findByText(words)).toBeTruthy();
});

test('loads older plans on request', async () => {
  await renderInApp(<PlansScreen />, {
    session: { userType: 'Standard' },
    replies: [reply(plansEndpoint, { objList: [summary], totalCount: 2 })],
  });
  addReplies(
    reply(plansEndpoint, { objList: [{ ...summary, id: 2, name: 'May' }], totalCount: 2 }),
  );
  await person.click(await screen.findByRole('button', { name: 'Older plans' }));
  expect(await screen.findByRole('link', { name: 'May' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Older plans' })).toBeNull();
  expect(sentTo(plansEndpoint).map(({ query }) => query['offset'])).toEqual(['0', '1']);
});

test('removes a plan after a question', async () => {
  await renderInApp(<PlansScreen />, {
    session: { userType: 'Admin' },
    replies: [
      reply(plansEndpoint, { objList: [summary], totalCount: 1 }),
      reply(removePlanEndpoint, {}),
    ],
  });
  await person.click(await screen.findByRole('button', { name: 'Remove the plan June' }));
  const dialog = await screen.findByRole('dialog');
  await person.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(sentTo(removePlanEndpoint)).toHaveLength(1));
});

test('shows the command, what it closes, the restart and the machines by state', async () => {
  await renderInApp(<PlanTaskCard planId={3} task={task} names={names} />, {
    session: { userType: 'Standard' },
  });
  const card = screen.getByRole('region', { name: 'Task 1' });
  expect(card.textContent).toContain('AlmaLinux 9, 1 update on 4 machines');
  expect(card.textContent).toContain('dnf upgrade --advisory=ALSA-2026:2');
  expect(card.textContent).toContain('Afterwards: Reboot');
  const row = within(card).getByRole('row', { name: /kernel security update/ });
  expect(row.textContent).toContain('Exploited');
  expect(row.textContent).toContain('overdue by 12 days');
  expect(row.textContent).toContain('CISA: due 2026-06-30');
  expect(within(row).getByRole('link', { name: 'ALSA-2026:1' })).toBeTruthy();
  expect(card.textContent).toContain('Open: 1');
  expect(card.textContent).toContain('Done: 1');
  expect(card.textContent).toContain('Not known: 1#9');
  expect(card.textContent).toContain('Moved to another release: 1web-3 (AlmaLinux 10)');
  expect(within(card).getByRole('link', { name: 'web-2' }).getAttribute('href')).toBe(
    '/patch-repository/machines/record/2',
  );
  expect(within(card).queryByRole('button', { name: /Schedule/ })).toBeNull();
});

test('names the machines that the files tell by their keys, and those that they leave out', async () => {
  const sameNames = [
    { id: 1, name: 'web-1', key: 'a'.repeat(32) },
    { id: 2, name: 'web-1', key: 'a'.repeat(32) },
    { id: 9, name: 'db', key: null },
  ];
  await renderInApp(<PlanScreen />, {
    session: { userType: 'Standard' },
    replies: [reply(planEndpoint, { ...plan, names, sameNames })],
    route: '/plans/$plan',
    path: '/plans/3',
  });
  const section = await screen.findByRole('region', { name: 'Machines with one name' });
  expect(section.textContent).toContain('In the scripts by their keys: 2web-1, web-1');
  expect(section.textContent).toContain('their keys are not of patch-report: 1db');
});

test('names the KBs where Windows Update installs them', async () => {
  const windows = {
    ...task,
    manager: 'windowsUpdate' as const,
    command: null,
    updates: [{ ...kernel, identifier: 'KB5094127', knownIssues: 2 }],
  };
  await renderInApp(<PlanTaskCard planId={3} task={windows} names={names} />, {});
  expect(screen.getByText(/Approve these for Windows Update/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy identifiers' })).toBeTruthy();
  expect(screen.getByRole('link', { name: '2' })).toBeTruthy();
});

test('takes back the window of a task', async () => {
  const window = { from: Date.UTC(2026, 5, 10), until: Date.UTC(2026, 5, 11) };
  await renderInApp(<PlanTaskCard planId={3} task={{ ...task, window }} names={names} />, {
    session: { userType: 'Admin' },
    replies: [reply(schedulePlanTaskEndpoint, plan), reply(planEndpoint, plan)],
  });
  await person.click(await screen.findByRole('button', { name: 'Take back task 1' }));
  await waitFor(() => expect(bodiesSentTo(schedulePlanTaskEndpoint)).toEqual([{ window: null }]));
});

test('plans the chosen records, or what the person chooses for the criteria', async () => {
  await renderInApp(<PlanUpdates criteria="" records={['CVE-2024-3094']} />, {
    session: { userType: 'Admin' },
  });
  addReplies(reply(createPlanEndpoint, plan));
  await person.click(await screen.findByRole('button', { name: 'Plan updates' }));
  expect(await screen.findByText(/all machines that miss CVE-2024-3094/)).toBeTruthy();
  await fillIn(screen.getByLabelText(/Name/), 'xz');
  await person.click(screen.getByRole('button', { name: 'Make plan' }));
  await waitFor(() =>
    expect(bodiesSentTo(createPlanEndpoint)).toEqual([
      { name: 'xz', criteria: '', choice: 'records', records: ['CVE-2024-3094'] },
    ]),
  );
});

test.each([
  [{}, 'No machine has anything to install'],
  [{ done: 1 }, '1 of 1 machine done'],
  [{ done: 2, unknown: 1 }, '2 of 3 machines done, 1 not known'],
])('says of %j how far the plan is', (counts, words) => {
  expect(progressWords({ states: states(counts) })).toBe(words);
});
