import { usersEndpoint } from '@patch/contract/accounts/user-endpoints.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import {
  changeExceptionEndpoint,
  endExceptionEndpoint,
  exceptionsEndpoint,
  type ListedException,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addReplies, bodiesSentTo, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { ExceptionsScreen } from './exceptions-screen.tsx';
import { exceptionsSearchSchema } from './exceptions-search.ts';

const day = 86_400_000;
const onMachine: ListedException = {
  exceptionId: 3,
  kind: 'waiting',
  until: Date.now() + 2.5 * day,
  reason: 'The vendor has no fix yet',
  by: 'Ada',
  owner: { userId: 2, name: 'Grace', address: null },
  scope: 'machine',
  list: 'almalinux_patch',
  recordId: 8,
  identifier: 'ALSA-2024:9',
  title: 'bash update',
  machineId: 67108865,
  name: 'web-1',
  machines: null,
  holds: true,
  withdrawnTime: null,
};
const onGroup: ListedException = {
  ...onMachine,
  exceptionId: 4,
  kind: 'not_applicable',
  until: null,
  owner: null,
  scope: 'group',
  identifier: null,
  title: null,
  machineId: null,
  name: 'Web',
  machines: 12,
};

const open = (
  userType: UserType,
  path = '/exceptions',
  id = 5,
  objList: ListedException[] = [onMachine, onGroup],
) =>
  renderInApp(<ExceptionsScreen />, {
    session: { userType, id },
    route: '/exceptions',
    path,
    searchSchema: exceptionsSearchSchema,
    replies: [
      reply(exceptionsEndpoint, {
        objList,
        totalCount: objList.length,
        counts: { accepted: 0, not_applicable: 1, waiting: 1, endSoon: 1 },
      }),
      reply(machineGroupsEndpoint, { objList: [], totalCount: 0 }),
      reply(usersEndpoint, { objectList: [], totalCount: 0 }),
    ],
  });

test('says of each exception where it holds, why, whose it is and when it ends', async () => {
  await open('Standard');
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('ALSA-2024:9 on web-1');
  expect(first?.textContent).toContain('in 3 days');
  expect(first?.textContent).toContain('Owner: Grace, decided by Ada');
  expect(second?.textContent).toContain('record 8 on 12 machines of the group Web');
  expect(second?.textContent).toContain('Not applicable without end');
  expect(second?.textContent).toContain('Nobody owns it, decided by Ada');
  expect(screen.getByRole('link', { name: '1 end within 7 days' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Edit|End the/ })).toBeNull();
});

test('says of an exception that its machine is called otherwise now', async () => {
  await open('Standard', '/exceptions?endedWithin=30', 5, [{ ...onMachine, holds: false }]);
  const [first] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('ALSA-2024:9 on web-1');
  expect(first?.textContent).toContain('Not in effect: the machine has another name now');
  expect(first?.textContent).not.toContain('in 3 days');
});

test('says of an exception that its record is withdrawn', async () => {
  const withdrawn = { ...onMachine, holds: false, withdrawnTime: Date.UTC(2026, 10, 30, 12) };
  await open('Standard', '/exceptions?endedWithin=30', 5, [withdrawn]);
  const [first] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('ALSA-2024:9 on web-1');
  expect(first?.textContent).toContain(
    'Not in effect: the vendor has not listed the record since Nov 30, 2026.',
  );
});

test('lets an operator decide about the own exceptions, and an approver about all', async () => {
  const ends = (name = /^End/) => screen.queryAllByRole('button', { name });
  await open('Operator', '/exceptions', 2);
  await screen.findAllByRole('listitem');
  expect(ends()).toHaveLength(1);
  expect(ends(/^End .*ALSA-2024:9 on web-1/)).toHaveLength(1);
  cleanup();
  await open('Operator');
  await screen.findAllByRole('listitem');
  expect(ends()).toEqual([]);
  cleanup();
  await open('Approver');
  await screen.findAllByRole('listitem');
  expect(ends()).toHaveLength(2);
});

test('asks for what the address says, and for the exceptions of the reader', async () => {
  await open('Standard', '/exceptions?owner=me&endsWithin=7&kind=waiting&group=Web');
  await screen.findAllByRole('listitem');
  expect(sentTo(exceptionsEndpoint).map(({ query }) => query)).toEqual([
    { owner: '5', endsWithin: '7', kind: 'waiting', group: 'Web', offset: '0', size: '50' },
  ]);
});

test('prolongs an exception and keeps its owner', async () => {
  await open('Admin');
  addReplies(reply(changeExceptionEndpoint, {}));
  await person.click(
    await screen.findByRole('button', { name: 'Edit the exception for ALSA-2024:9 on web-1' }),
  );
  await fillIn(await screen.findByLabelText('Reason'), 'Still none');
  await person.click(screen.getByRole('button', { name: '180 days' }));
  await person.click(screen.getByRole('button', { name: 'Save exception' }));
  await waitFor(() =>
    expect(bodiesSentTo(changeExceptionEndpoint)).toMatchObject([
      { kind: 'waiting', reason: 'Still none', owner: { userId: 2 } },
    ]),
  );
  const [{ until } = { until: 0 }] = bodiesSentTo(changeExceptionEndpoint) as { until: number }[];
  const days = (until - Date.now()) / day;
  expect(days).toBeGreaterThan(179);
  expect(days).toBeLessThan(182);
});

test('ends an exception after a question', async () => {
  await open('Admin');
  addReplies(reply(endExceptionEndpoint, {}));
  await person.click(
    await screen.findByRole('button', {
      name: 'End the exception for record 8 on 12 machines of the group Web',
    }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/on all machines of the exception/)).toBeTruthy();
  await person.click(dialog.getByRole('button', { name: 'End exception' }));
  await waitFor(() =>
    expect(sentTo(endExceptionEndpoint)).toMatchObject([{ path: '/machines/exceptions/4' }]),
  );
});

test('shows ended exceptions without what they could still end', async () => {
  const ended = { ...onMachine, until: Date.now() - day };
  await renderInApp(<ExceptionsScreen />, {
    session: { userType: 'Admin', id: 5 },
    route: '/exceptions',
    path: '/exceptions?endedWithin=30',
    searchSchema: exceptionsSearchSchema,
    replies: [
      reply(exceptionsEndpoint, {
        objList: [ended],
        totalCount: 1,
        counts: { accepted: 0, not_applicable: 0, waiting: 1, endSoon: 0 },
      }),
      reply(machineGroupsEndpoint, { objList: [], totalCount: 0 }),
    ],
  });
  const [row] = await screen.findAllByRole('listitem');
  expect(row?.textContent).toContain('ended on');
  expect(sentTo(exceptionsEndpoint)[0]?.query).toMatchObject({ endedWithin: '30' });
  expect(screen.queryByRole('button', { name: /^End / })).toBeNull();
  expect(screen.queryByText(/end within 7 days|ends within 7 days/)).toBeNull();
});
