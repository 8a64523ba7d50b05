import { getList } from '@patch/catalogue/lists.ts';
import {
  type Checkpoint,
  checkpointDifferenceEndpoint,
  checkpointsEndpoint,
  createCheckpointEndpoint,
  type ListDifference,
  removeCheckpointEndpoint,
} from '@patch/contract/checkpoint-endpoints.ts';
import {
  changeRingEndpoint,
  createRingEndpoint,
  type Ring,
  removeRingEndpoint,
  ringsEndpoint,
} from '@patch/contract/ring-endpoints.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
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
};
const none = { count: 0, first: [] };
const difference: ListDifference = {
  list: 'kb_repository',
  label: 'KB base',
  added: { count: 1200, first: [{ id: 1, name: 'KB5034441', title: 'Update' }] },
  changed: none,
  withdrawn: { count: 1, first: [{ id: 2, name: 'KB5034440', title: 'Update' }] },
};

const open = (userType: 'Admin' | 'Standard', rings = [pilot], checkpoints = [june, may]) =>
  renderInApp(<RingsScreen />, {
    session: { userType },
    replies: [
      reply(ringsEndpoint, { objList: rings, totalCount: rings.length }),
      reply(checkpointsEndpoint, { objList: checkpoints, totalCount: checkpoints.length }),
    ],
  });
const differs = (...objList: ListDifference[]) =>
  reply(checkpointDifferenceEndpoint, { objList, totalCount: objList.length });
const click = async (name: string) => person.click(await screen.findByRole('button', { name }));

test('says where each ring is, who moved it there, and how many clients it has', async () => {
  await open('Standard');
  const rings = await screen.findByRole('list', { name: 'Rings' });
  expect(rings.textContent).toContain('PilotOn May, 1 client');
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

test('creates a ring on the newest checkpoint with chosen clients', async () => {
  await open('Admin', []);
  addReplies(
    reply(searchEndpoint(getList('floto_user')), {
      objList: [{ id: 4, clientName: 'North Hospital' }],
      totalCount: 1,
    }),
    reply(createRingEndpoint, pilot),
  );
  await click('New ring');
  await fillIn(await screen.findByLabelText(/Name/), 'Pilot');
  await person.click(screen.getByLabelText('Licensed clients'));
  await person.click(await screen.findByTitle('North Hospital'));
  await click('Save ring');
  await waitFor(() =>
    expect(bodiesSentTo(createRingEndpoint)).toEqual([
      { name: 'Pilot', checkpoint: 2, clients: [4] },
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
