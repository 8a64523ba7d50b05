import { specified } from '@patch/catalogue/testing/specified.ts';
import { apiKeysEndpoint, endApiKeyEndpoint } from '@patch/contract/accounts/api-key-endpoints.ts';
import {
  endUserSessionEndpoint,
  endUserSessionsEndpoint,
  userSessionsEndpoint,
} from '@patch/contract/accounts/session-endpoints.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { meEndpoint, passwordPolicyEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { User } from '@patch/contract/accounts/user-endpoints.ts';
import {
  changeUserEndpoint,
  createUserEndpoint,
  deleteUserEndpoint,
  removeUserAvatarEndpoint,
  setUserAvatarEndpoint,
  usersEndpoint,
} from '@patch/contract/accounts/user-endpoints.ts';
import { machineGroupsEndpoint } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { emailConfigEndpoint } from '@patch/contract/operations/mail-endpoints.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '../../api/session.ts';
import { addReplies, bodiesSentTo, refuse, reply, sentTo } from '../../testing/fake-api.ts';
import { fillIn, person } from '../../testing/person.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildEmailConfig, buildPasswordPolicy } from '../../testing/service-values.ts';
import { signedInUser } from '../../testing/sign-in-as.ts';
import { UsersScreen } from './users-screen.tsx';
import { usersSearchSchema } from './users-search.ts';

const standard = {
  email: '',
  userType: 'Standard',
  machineGroups: null,
  timezone: null,
  avatar: null,
  canDelete: true,
  lastSignInAt: null,
  createdAt: 0,
  twoFactor: false,
  mustChangePassword: false,
} as const;
const operator: User = {
  ...standard,
  id: 1,
  name: 'Operator',
  userType: 'Admin',
  canDelete: false,
  lastSignInAt: Date.now() - 7_200_000,
};
const jane: User = {
  ...standard,
  id: 2,
  name: 'Second Operator',
  email: 'jane@example.org',
  mustChangePassword: true,
};

const emptyList = { objList: [], totalCount: 0 };

beforeEach(() =>
  addReplies(
    reply(usersEndpoint, { objectList: [operator, jane], totalCount: 2 }),
    reply(
      passwordPolicyEndpoint,
      buildPasswordPolicy({
        enableSpecialChar: false,
        enableAlphabetAndNumber: false,
        enableMixCase: false,
      }),
    ),
    reply(userSessionsEndpoint, emptyList),
    reply(apiKeysEndpoint, emptyList),
    reply(emailConfigEndpoint, buildEmailConfig()),
    reply(machineGroupsEndpoint, emptyList),
  ),
);

async function open(
  path = '/',
  listUsers: () => Promise<unknown> = () => screen.findByRole('button', { name: 'Operator' }),
  signedInAs: Partial<SignedInUser> = {},
) {
  const app = await renderInApp(<UsersScreen />, {
    path,
    session: { name: 'Operator', ...signedInAs },
    searchSchema: usersSearchSchema,
  });
  await listUsers();
  return app;
}

const press = (name: string | RegExp) => person.click(screen.getByRole('button', { name }));
const type = (label: string, value: string) => fillIn(screen.getByLabelText(label), value);
const names = () =>
  within(screen.getByRole('table', { name: 'Users' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('button').textContent);

describe('UsersScreen', () => {
  it('denies access to other users, and offers them no actions', async () => {
    const userMessage = 'Only administrators may do this.';
    addReplies(refuse(usersEndpoint, 403, { userMessage, code: 'forbidden' }));
    await open('/', () => screen.findByText(userMessage), { userType: 'Standard' });
    for (const name of ['API keys', 'New user'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('shows the users, and marks the current one', async () => {
    await open();
    expect(screen.getByText('2 users')).toBeTruthy();
    expect(names()).toEqual(['Operator', 'Second Operator']);
    const [, ownRow, otherRow] = screen.getAllByRole('row');
    expect(ownRow?.textContent).toContain('you');
    expect(ownRow?.textContent).toContain('2 hours ago');
    expect(otherRow?.textContent).toContain('never');
    expect(otherRow?.textContent).toContain('new');
  });

  it('sorts, searches and pages on the server', async () => {
    const { search } = await open();
    addReplies(reply(usersEndpoint, { objectList: [operator], totalCount: 60 }));
    const lastRequest = () => sentTo(usersEndpoint).at(-1);
    await press('Email');
    await waitFor(() => expect(lastRequest()?.query['sort']).toBe('email'));
    await screen.findByText('60 users');
    await press('Next page');
    await waitFor(() => expect(lastRequest()?.query['offset']).toBe(`${specified.pageSizes.crud}`));
    await fillIn(screen.getByLabelText('Search users'), 'oper');
    await waitFor(() => expect(lastRequest()?.body).toEqual({ keyword: 'oper' }));
    expect(lastRequest()?.query['offset']).toBe('0');
    expect(search()).toEqual({ keyword: 'oper', sort: 'email' });
    addReplies(reply(usersEndpoint, { objectList: [], totalCount: 0 }));
    await fillIn(screen.getByLabelText('Search users'), 'nobody');
    expect(await screen.findByText('No Data Found.')).toBeTruthy();
  });
});

describe('creating a user', () => {
  it('sends an invitation by email, and adds the user to the end of the list', async () => {
    await open();
    const ann = { ...jane, id: 3, name: 'Ann', email: 'ann@example.org' };
    addReplies(reply(createUserEndpoint, ann));
    await press('New user');
    await fillIn(await screen.findByLabelText('Name'), 'Ann');
    await type('Email', 'ann@example.org');
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create user' }).disabled).toBe(
        false,
      ),
    );
    await press('Create user');
    expect(
      await screen.findByText('Ann is created. An invitation is on its way to ann@example.org.'),
    ).toBeTruthy();
    expect(bodiesSentTo(createUserEndpoint)).toEqual([
      {
        name: 'Ann',
        email: 'ann@example.org',
        userType: 'Standard',
        machineGroups: null,
        timezone: null,
      },
    ]);
    await waitFor(() => expect(names()).toEqual(['Operator', 'Second Operator', 'Ann']));
    expect(sentTo(usersEndpoint)).toHaveLength(1);
  });

  it('offers no invitation while no email can be sent', async () => {
    addReplies(reply(emailConfigEndpoint, null));
    await open();
    await press('New user');
    expect(await screen.findByRole('link', { name: 'email configuration' })).toBeTruthy();
    expect(screen.queryByLabelText('Invite by email')).toBeNull();
    expect(screen.getByLabelText('Password')).toBeTruthy();
    expect(screen.getByLabelText('Email').closest('.ant-form-item')?.textContent).not.toContain(
      'required',
    );
  });

  it('requires a password that meets the policy, and shows refusals at the field', async () => {
    await open();
    const userMessage = "Someone is named 'Jane' already.";
    addReplies(refuse(createUserEndpoint, 409, { userMessage, code: 'name_taken' }));
    await press('New user');
    await fillIn(await screen.findByLabelText('Name'), 'Jane');
    await person.click(screen.getByLabelText('Set a password'));
    await fillIn(await screen.findByLabelText('Password'), 'short');
    await press('Create user');
    expect(await screen.findByText("Password doesn't match the required criterias.")).toBeTruthy();
    expect(sentTo(createUserEndpoint)).toEqual([]);
    await type('Password', 'long enough');
    await press('Create user');
    expect(await screen.findByText(userMessage)).toBeTruthy();
    expect(bodiesSentTo(createUserEndpoint)).toEqual([
      {
        name: 'Jane',
        email: '',
        userType: 'Standard',
        machineGroups: null,
        timezone: null,
        password: 'long enough',
      },
    ]);
  });
});

describe('editing a user', () => {
  it('saves changes in the drawer, and updates the list', async () => {
    const { search } = await open();
    addReplies(reply(changeUserEndpoint, ({ body }) => ({ ...jane, ...(body as object) })));
    await press('Second Operator');
    await fillIn(await screen.findByDisplayValue('Second Operator'), 'Third Operator');
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false),
    );
    await press('Save');
    expect(await screen.findByText('Third Operator is saved.')).toBeTruthy();
    expect(bodiesSentTo(changeUserEndpoint)).toEqual([{ name: 'Third Operator' }]);
    await waitFor(() => expect(names()).toEqual(['Operator', 'Third Operator']));
    expect(search()).toEqual({ user: 2 });
  });

  it('limits a user to groups of machines, and tells the number in the list', async () => {
    const web = { id: 7, name: 'Web', criteria: '', owner: null, duePolicy: null };
    const group = { ...web, machines: 3, overdue: 0, problem: null };
    addReplies(
      reply(machineGroupsEndpoint, { objList: [group], totalCount: 1 }),
      reply(changeUserEndpoint, ({ body }) => ({ ...jane, ...(body as object) })),
    );
    await open('/?user=2');
    const box = await screen.findByRole('combobox', { name: 'Machines of groups' });
    await person.click(box);
    await person.click(await screen.findByTitle('Web'));
    expect(await screen.findByText(/^No other machines exist for the user/)).toBeTruthy();
    await press('Save');
    expect(await screen.findByText('Second Operator is saved.')).toBeTruthy();
    expect(bodiesSentTo(changeUserEndpoint)).toEqual([{ machineGroups: [7] }]);
    expect(await screen.findByText('of 1 group')).toBeTruthy();
  });

  it('removes a user after confirmation, and closes the drawer', async () => {
    const { search } = await open('/?user=2');
    addReplies(reply(deleteUserEndpoint, { message: 'Second Operator has been removed.' }));
    await person.click(await screen.findByRole('button', { name: 'Remove user' }));
    expect(await screen.findByText('Remove Second Operator?')).toBeTruthy();
    await person.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Second Operator has been removed.')).toBeTruthy();
    await waitFor(() => expect(search()).toEqual({}));
    await waitFor(() => expect(names()).toEqual(['Operator']));
  });

  it('offers no removal and no change of type for the signed-in user', async () => {
    await open('/?user=1');
    expect((await screen.findByLabelText<HTMLInputElement>('Standard')).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Remove user' })).toBeNull();
    expect(screen.queryByLabelText('New password')).toBeNull();
  });

  it('uploads a picture, and removes it after confirmation', async () => {
    await open('/?user=1');
    addReplies(
      reply(setUserAvatarEndpoint, { avatar: 'picture.png' }),
      reply(removeUserAvatarEndpoint, { avatar: null }),
      reply(meEndpoint, signedInUser({ name: 'Operator', avatar: 'picture.png' })),
    );
    const choose = (file: File) =>
      person.upload(screen.getByLabelText('Picture of Operator'), file);
    await screen.findByLabelText('Picture of Operator');
    await choose(new File([new Uint8Array(1024 * 1024 + 1)], 'large.png', { type: 'image/png' }));
    expect(await screen.findByText('The picture may be at most 1 MB.')).toBeTruthy();
    expect(sentTo(setUserAvatarEndpoint)).toEqual([]);

    await choose(new File(['picture'], 'me.png', { type: 'image/png' }));
    await screen.findByText('The picture is saved.');
    const pictures = () =>
      [...document.querySelectorAll('img')].map(({ src }) => new URL(src).pathname);
    await waitFor(() =>
      expect(new Set(pictures())).toEqual(new Set(['/api/public/renderImage/picture.png'])),
    );
    await waitFor(() => expect(session().user?.avatar).toBe('picture.png'));

    await person.click(screen.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Are you sure?')).toBeTruthy();
    expect(screen.getByText(specified.errors.removeFile)).toBeTruthy();
    await person.click(await screen.findByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(pictures()).toEqual([]));
  });
});

describe('access of a user', () => {
  it('shows the sessions of a user, and ends them', async () => {
    const times = { startedAt: 0, lastUsedAt: 0, expiresAt: 9, current: false };
    let left = [
      { ...times, id: 7, address: '192.0.2.8', userAgent: 'curl/8' },
      { ...times, id: 8, address: '192.0.2.9', userAgent: 'Firefox/140 (Linux)' },
    ];
    addReplies(
      reply(userSessionsEndpoint, () => ({ objList: left, totalCount: left.length })),
      reply(endUserSessionEndpoint, () => {
        left = left.slice(1);
        return { ended: 1 };
      }),
      reply(endUserSessionsEndpoint, () => {
        left = [];
        return { ended: 1 };
      }),
    );
    await open('/?user=2&tab=sessions');
    await person.click(await screen.findByRole('button', { name: /^End the session of curl/ }));
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: /^End the session/ })).toHaveLength(1),
    );
    expect(screen.getByText('Firefox on Linux', { selector: 'strong' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'End all' }));
    expect(await screen.findByText('End Second Operator’s sessions?')).toBeTruthy();
    await person.click(await screen.findByRole('button', { name: 'End them' }));
    expect(await screen.findByText('No active sessions.')).toBeTruthy();
  });

  it('shows and revokes the API keys of a user and of all users', async () => {
    const key = {
      id: 5,
      name: 'Reports',
      prefix: 'prk_AbCdEf',
      scopes: ['read' as const],
      ownerId: 2,
      ownerName: 'Second Operator',
      createdAt: 0,
      expiresAt: 1,
      lastUsedAt: null,
      enrolment: null,
    };
    let left = [key];
    addReplies(
      reply(apiKeysEndpoint, () => ({ objList: left, totalCount: left.length })),
      reply(endApiKeyEndpoint, () => {
        left = [];
        return { message: 'ended' };
      }),
    );
    await open('/?show=keys');
    const row = await screen.findByText('prk_AbCdEf…');
    expect(row.closest('li')?.textContent).toMatch(/Second Operator.*read.*not used yet · expired/);
    await person.click(screen.getByRole('button', { name: 'Revoke the API key Reports' }));
    expect(await screen.findByText('Revoke the API key Reports of Second Operator?')).toBeTruthy();
    await person.click(await screen.findByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('No API keys.')).toBeTruthy();
  });
});
