import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import {
  addNoteEndpoint,
  assignEndpoint,
  type RecordNotes as Notes,
  recordNotesEndpoint,
  removeNoteEndpoint,
} from '@patch/contract/records/note-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { elementText } from '../testing/element-text.ts';
import { bodiesSentTo, refuse, reply, sentTo } from '../testing/fake-api.ts';
import { fillIn, person } from '../testing/person.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { FindingNotes, RecordNotes } from './record-notes.tsx';

const time = Date.now() - 3 * 86_400_000;
const machineId = 67108865;
const own = { id: 1, machineId: null, text: 'Ask the vendor.\nThen wait.', by: 'Ada', byUserId: 5 };
const others = { id: 2, machineId, text: 'Replaced in spring', by: 'Grace', byUserId: 6 };
const grace = { userId: 6, name: 'Grace', address: null, by: 'Ada', time };
const notes: Notes = {
  objList: [
    { ...others, time },
    { ...own, time },
  ],
  totalCount: 2,
  assignee: { ...grace, userId: null, name: 'ops@example.org', address: 'ops@example.org' },
  machineAssignee: grace,
};
const empty: Notes = { objList: [], totalCount: 0, assignee: null, machineAssignee: null };

const show = (
  userType: UserType,
  body = notes,
  finding = true,
  machineGroups: number[] | null = null,
) =>
  renderInApp(
    finding ? (
      <FindingNotes finding={{ list: 'almalinux_patch', recordId: 7, machineId }} />
    ) : (
      <RecordNotes list="almalinux_patch" id={7} Heading="h2" />
    ),
    {
      session: { userType, id: 5, name: 'Ada', machineGroups },
      replies: [
        reply(recordNotesEndpoint, body),
        reply(addNoteEndpoint, { ...own, time }),
        reply(assignEndpoint, {}),
        reply(removeNoteEndpoint, {}),
        reply(usersEndpoint, { objectList: [], totalCount: 0 }),
      ],
    },
  );
const press = async (name: string) => person.click(await screen.findByRole('button', { name }));

test('says who deals with a record on a machine and on all, and what people say', async () => {
  await show('Standard');
  const [first, second] = await screen.findAllByRole('listitem');
  expect(sentTo(recordNotesEndpoint)).toMatchObject([
    { path: '/records/almalinux_patch/7/notes', query: { machineId: String(machineId) } },
  ]);
  expect(first?.textContent).toBe('Replaced in springGrace, 3 days ago');
  expect(second?.textContent).toBe('Ask the vendor.\nThen wait.Ada, 3 days ago, on all machines');
  const line = (words: string) => screen.getByText(elementText('P', words));
  expect(line('On this machine: Assigned to Grace by Ada, 3 days ago')).toBeTruthy();
  expect(line('On all machines: Assigned to ops@example.org by Ada, 3 days ago')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('lets an operator remove own notes, and an approver those of all, after a question', async () => {
  const { unmount } = await show('Operator');
  await screen.findAllByRole('listitem');
  const names = () => screen.queryAllByRole('button', { name: /^Remove/ });
  expect(names().map(({ textContent }) => textContent)).toEqual(['Remove the note of Ada']);
  unmount();
  await show('Approver');
  await screen.findAllByRole('listitem');
  expect(names()).toHaveLength(2);
  await press('Remove the note of Grace');
  await person.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove note' }),
  );
  await waitFor(() =>
    expect(sentTo(removeNoteEndpoint)).toMatchObject([{ path: '/records/notes/2' }]),
  );
});

test('offers a user of some groups nothing about all machines', async () => {
  const { unmount } = await show('Approver', notes, true, [3]);
  await screen.findAllByRole('listitem');
  const names = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);
  expect(names()).toEqual(
    expect.arrayContaining(['Add note', 'Change assignee', 'Remove the note of Grace']),
  );
  expect(names()).not.toContain('Remove the note of Ada');
  unmount();
  await show('Approver', notes, false, [3]);
  await screen.findAllByRole('listitem');
  expect(names()).toEqual(['Remove the note of Grace']);
});

test('adds a note to a record on all machines', async () => {
  await show('Operator', empty, false);
  expect(await screen.findByRole('region', { name: 'Notes and assignee' })).toBeTruthy();
  expect(await screen.findByText('Nobody is assigned')).toBeTruthy();
  await press('Add note');
  await press('Save note');
  expect(await screen.findByText('Note field is required')).toBeTruthy();
  expect(sentTo(addNoteEndpoint)).toEqual([]);
  await fillIn(screen.getByLabelText('Note'), 'Waits for the window');
  await press('Save note');
  await waitFor(() =>
    expect(bodiesSentTo(addNoteEndpoint)).toEqual([{ text: 'Waits for the window' }]),
  );
  expect(await screen.findByRole('button', { name: 'Add note' })).toBeTruthy();
  expect(sentTo(recordNotesEndpoint)).toHaveLength(2);
});

test('assigns a record on a machine to the reader, to an address, and to nobody', async () => {
  await show('Operator');
  await press('Assign to me');
  await waitFor(() =>
    expect(bodiesSentTo(assignEndpoint)).toEqual([{ machineId, assignee: { userId: 5 } }]),
  );
  const choose = async (title: string) => {
    await press('Change assignee');
    await person.click(await screen.findByLabelText('Assignee'));
    await person.click(await screen.findByTitle(title));
  };
  await choose('An email address');
  await fillIn(await screen.findByLabelText('Email address'), 'ops@example.org');
  await press('Save assignee');
  await choose('Nobody');
  await press('Save assignee');
  await waitFor(() =>
    expect(bodiesSentTo(assignEndpoint).slice(1)).toEqual([
      { machineId, assignee: { address: 'ops@example.org' } },
      { machineId, assignee: null },
    ]),
  );
  // An operator may not read the users.
  expect(sentTo(usersEndpoint)).toEqual([]);
});

test('says when the notes cannot be loaded', async () => {
  await renderInApp(<RecordNotes list="almalinux_patch" id={7} Heading="h2" />, {
    session: { userType: 'Standard' },
    replies: [refuse(recordNotesEndpoint, 503)],
  });
  expect(await screen.findByText('The notes could not be loaded')).toBeTruthy();
});
