import {
  type Assignment,
  assignmentsEndpoint,
  recordNotesEndpoint,
} from '@patch/contract/records/note-endpoints.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { reply, sentTo } from '../../testing/fake-api.ts';
import { person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { AssignmentsScreen } from './assignments-screen.tsx';

const time = Date.now() - 3 * 86_400_000;
const onMachine: Assignment = {
  id: 3,
  list: 'almalinux_patch',
  recordId: 8,
  identifier: 'ALSA-2024:9',
  title: 'bash update',
  machineId: 67108865,
  machine: 'web-1',
  userId: 5,
  name: 'Ada',
  address: null,
  by: 'Grace',
  time,
};
const onAll: Assignment = {
  ...onMachine,
  id: 4,
  identifier: null,
  title: null,
  machineId: null,
  machine: null,
  userId: null,
  name: 'ops@example.org',
  address: 'ops@example.org',
};

const open = (path = '/assignments', objList = [onMachine, onAll]) =>
  renderInApp(<AssignmentsScreen />, {
    session: { userType: 'Standard', id: 5 },
    route: '/assignments',
    path,
    replies: [reply(assignmentsEndpoint, { objList, totalCount: objList.length })],
  });
const queries = () => sentTo(assignmentsEndpoint).map(({ query }) => query['to']);

test('lists what is assigned to the reader, with links to record and machine', async () => {
  await open();
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('ALSA-2024:9 on web-1');
  expect(first?.textContent).toContain('Assigned to Ada by Grace, 3 days ago');
  expect(second?.textContent).toContain('record 8 on all machines');
  expect(screen.getByRole('link', { name: 'web-1' }).getAttribute('href')).toBe(
    '/patch-repository/machines/record/67108865',
  );
  expect(queries()).toEqual(['me']);
});

test('shows those of everybody, and of the person whose name is pressed', async () => {
  await open('/assignments?to=all');
  await person.click(await screen.findByRole('link', { name: 'ops@example.org' }));
  await screen.findByTitle(/^Assigned to/);
  await person.click(await screen.findByRole('link', { name: 'Ada' }));
  await screen.findAllByRole('listitem');
  expect(queries()).toEqual([undefined, 'ops@example.org', '5']);
});

test('opens the notes and the assignee of a record on a machine', async () => {
  await open();
  await person.click(
    await screen.findByRole('button', { name: 'Notes and assignee of ALSA-2024:9 on web-1' }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Notes and assignee: ALSA-2024:9 on web-1')).toBeTruthy();
  expect(await dialog.findByText(/^On this machine/)).toBeTruthy();
  expect(sentTo(recordNotesEndpoint)).toMatchObject([{ query: { machineId: '67108865' } }]);
});

test('says when nothing is assigned', async () => {
  await open('/assignments', []);
  expect(await screen.findByText('Nothing is assigned.')).toBeTruthy();
});
