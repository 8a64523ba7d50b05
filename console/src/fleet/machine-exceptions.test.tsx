import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import {
  acceptMissingEndpoint,
  endExceptionEndpoint,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { elementText } from '../testing/element-text.ts';
import { reply, sentTo } from '../testing/fake-api.ts';
import { person } from '../testing/person.ts';
import { accepted, record, showMachine } from './testing/shown-machine.tsx';
// Loaded before the tests, which wait for it when it is opened.
import './accept-missing-dialog.tsx';

const web = {
  id: 7,
  name: 'Web',
  criteria: '',
  owner: null,
  duePolicy: null,
  machines: 12,
  overdue: 0,
  problem: null,
};
const oneAccepted = (userType: 'Admin' | 'Standard') =>
  showMachine(
    { objList: [record, accepted], totalCount: 2, acceptedCount: 1 },
    userType,
    reply(acceptMissingEndpoint, accepted.accepted),
    reply(endExceptionEndpoint, {}),
    reply(usersEndpoint, { objectList: [], totalCount: 0 }),
    reply(machineGroupsEndpoint, { objList: [web], totalCount: 1 }),
  );

test('counts accepted records separately, with reason, end and author', async () => {
  await oneAccepted('Standard');
  expect(
    await screen.findByText(elementText('P', '1 record missing and 1 accepted, see below')),
  ).toBeTruthy();
  const section = within(await screen.findByRole('region', { name: 'Accepted records' }));
  expect(await section.findByText(/^Accepted risk: Behind a firewall/)).toBeTruthy();
  expect(section.getByText('until May 12, 2031, by Ada, owner Grace')).toBeTruthy();
  expect(section.getByText('On all machines of the client')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'ALSA-2024:9' })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /Accept|End/ })).toBeNull();
});

test('accepts a missing record with a reason', async () => {
  await oneAccepted('Admin');
  await person.click(await screen.findByRole('button', { name: 'Accept ALSA-2024:2' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Exception for ALSA-2024:2' }));
  await person.click(await dialog.findByRole('button', { name: 'Save exception' }));
  expect(await dialog.findByText('Reason field is required')).toBeTruthy();
  expect(sentTo(acceptMissingEndpoint)).toEqual([]);
  await person.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Replaced in spring');
  await person.click(dialog.getByRole('button', { name: 'Save exception' }));
  const { list, recordId } = record;
  await waitFor(() =>
    expect(sentTo(acceptMissingEndpoint)).toMatchObject([
      {
        path: '/machines/67108865/exceptions',
        body: { list, recordId, kind: 'accepted', reason: 'Replaced in spring', scope: 'machine' },
      },
    ]),
  );
});

test('excepts a record that does not apply on the machines of a group, without end', async () => {
  await oneAccepted('Admin');
  await person.click(await screen.findByRole('button', { name: 'Accept ALSA-2024:2' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Exception for ALSA-2024:2' }));
  await person.type(await dialog.findByRole('textbox', { name: 'Reason' }), 'Not started');
  const choose = async (kind: string) => {
    await person.click(dialog.getByLabelText('Kind'));
    await person.click(await screen.findByTitle(kind));
  };
  await choose('Not applicable');
  await person.click(dialog.getByRole('button', { name: 'No end' }));
  await choose('Waiting');
  await person.click(dialog.getByRole('button', { name: 'Save exception' }));
  expect(await dialog.findByText('Until is required')).toBeTruthy();
  await choose('Not applicable');
  await person.click(dialog.getByLabelText('On'));
  await person.click(await screen.findByTitle('Group Web: 12 machines now'));
  await person.click(dialog.getByRole('button', { name: 'Save exception' }));
  const expected = { kind: 'not_applicable', until: null, scope: 'group', groupId: 7 };
  await waitFor(() => expect(sentTo(acceptMissingEndpoint)).toMatchObject([{ body: expected }]));
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
