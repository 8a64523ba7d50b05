import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import {
  changeMachineGroupEndpoint,
  createMachineGroupEndpoint,
  type MachineGroup,
  machineGroupsEndpoint,
  removeMachineGroupEndpoint,
  tagMachinesEndpoint,
} from '@patch/contract/fleet/machine-group-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SaveAsGroup } from '../../fleet/save-as-group.tsx';
import { TagMachines } from '../../fleet/tag-machines.tsx';
import { addReplies, bodiesSentTo, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { GroupsScreen } from './groups-screen.tsx';

const production: MachineGroup = {
  id: 7,
  name: 'Production',
  criteria: 'tags.in.production',
  owner: { userId: null, name: 'ops@example.org', address: 'ops@example.org' },
  duePolicy: { cisa: false, exploited: 7, serious: 14, others: 45 },
  machines: 12,
  overdue: 3,
  problem: null,
};
const web: MachineGroup = {
  id: 8,
  name: 'Web',
  criteria: null,
  owner: null,
  duePolicy: null,
  machines: 1,
  overdue: 0,
  problem: null,
};
const broken: MachineGroup = {
  ...web,
  id: 9,
  name: 'Broken',
  criteria: 'colour.equal.red',
  machines: null,
  overdue: null,
  problem: "The field 'colour' is not valid.",
};
const noUsers = reply(usersEndpoint, { objectList: [], totalCount: 0 });
const groups = (...objList: MachineGroup[]) =>
  reply(machineGroupsEndpoint, { objList, totalCount: objList.length });

const open = (userType: 'Admin' | 'Standard') =>
  renderInApp(<GroupsScreen />, {
    session: { userType },
    replies: [groups(production, web, broken), noUsers],
  });

test('says what each group has, who owns it, and how many machines it has now', async () => {
  await open('Standard');
  const [first, second, third] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('Production12 machines');
  expect(first?.textContent).toContain('Tags is one of production');
  expect(first?.textContent).toContain('Owner: ops@example.org');
  expect(first?.textContent).toContain(
    'Due: exploited in 7 days, critical and important in 14 days, the rest in 45 days',
  );
  expect(second?.textContent).toContain('Due by default: exploited on CISA’s date or in 14 days');
  const late = within(first as HTMLElement).getByRole('link', { name: '3 overdue: show them' });
  expect(late.getAttribute('href')).toContain('overdue.is_not_null');
  const link = within(first as HTMLElement).getByRole('link', { name: /12 machines/ });
  expect(link.getAttribute('href')).toContain('group.equal.Production');
  expect(second?.textContent).toContain('Web1 machine');
  expect(second?.textContent).toContain('Machines that report with its keys');
  expect(third?.textContent).toContain("no longer valid: The field 'colour' is not valid.");
  expect(screen.queryByRole('button', { name: /Edit/ })).toBeNull();
  expect(screen.queryByText(/save them as a group/)).toBeNull();
});

test('renames a group and keeps its owner', async () => {
  await open('Admin');
  expect(await screen.findByText(/then save them as a group\.$/)).toBeTruthy();
  addReplies(reply(changeMachineGroupEndpoint, production));
  await person.click(await screen.findByRole('button', { name: 'Edit the group Production' }));
  await fillIn(await screen.findByLabelText(/Name/), 'Production servers');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(sentTo(changeMachineGroupEndpoint)).toMatchObject([
      {
        body: {
          name: 'Production servers',
          owner: { address: 'ops@example.org' },
          duePolicy: production.duePolicy,
        },
      },
    ]),
  );
});

test('sets the due dates of a group within the limits of the contract', async () => {
  await open('Admin');
  addReplies(reply(changeMachineGroupEndpoint, web));
  await person.click(await screen.findByRole('button', { name: 'Edit the group Web' }));
  expect(await screen.findByText(/^Missing records are due: exploited on CISA/)).toBeTruthy();
  await person.click(screen.getByLabelText('Due dates'));
  await person.click(await screen.findByTitle('Of this group'));
  await fillIn(await screen.findByLabelText(/Critical and important/), '731');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('731 must be 730 or less')).toBeTruthy();
  await fillIn(screen.getByLabelText(/Critical and important/), '10');
  await person.click(screen.getByRole('checkbox', { name: 'On CISA’s date, where it states one' }));
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(bodiesSentTo(changeMachineGroupEndpoint)).toEqual([
      {
        name: 'Web',
        owner: null,
        duePolicy: { cisa: false, exploited: 14, serious: 10, others: 90 },
      },
    ]),
  );
});

test('removes a group after a question', async () => {
  await open('Admin');
  addReplies(reply(removeMachineGroupEndpoint, {}));
  await person.click(await screen.findByRole('button', { name: 'Remove the group Web' }));
  const dialog = await screen.findByRole('dialog');
  await person.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(sentTo(removeMachineGroupEndpoint)).toHaveLength(1));
});

test('saves the criteria of the list as a new group without an owner', async () => {
  await renderInApp(<SaveAsGroup open criteria="tags.in.dmz" onClose={() => undefined} />, {
    session: { userType: 'Admin' },
    replies: [groups(), noUsers, reply(createMachineGroupEndpoint, production)],
  });
  await fillIn(await screen.findByLabelText(/Name/), 'Dmz');
  await person.click(screen.getByRole('button', { name: 'Save group' }));
  await waitFor(() =>
    expect(bodiesSentTo(createMachineGroupEndpoint)).toEqual([
      { name: 'Dmz', owner: null, criteria: 'tags.in.dmz', duePolicy: null },
    ]),
  );
});

test('adds and removes tags of marked machines', async () => {
  await renderInApp(<TagMachines open machines={[1, 2]} onClose={() => undefined} />, {
    session: { userType: 'Admin' },
    replies: [reply(tagMachinesEndpoint, { machines: 2, changed: 2 })],
  });
  await fillIn(await screen.findByLabelText(/Add/), 'production, dmz,');
  await fillIn(screen.getByLabelText(/Remove/), 'test');
  await person.click(screen.getByRole('button', { name: 'Change tags' }));
  await waitFor(() =>
    expect(bodiesSentTo(tagMachinesEndpoint)).toEqual([
      { machines: [1, 2], add: ['production', 'dmz'], remove: ['test'] },
    ]),
  );
});
