import { specified } from '@patch/catalogue/testing/specified.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeEmailConfig } from '../../platform/mail/email-config-store.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import type { Caller } from '../../testing/caller.ts';
import { buildEmailConfig, password } from '../../testing/factories.ts';
import { describeApp, hour } from '../sign-in/testing/sign-in-app.ts';

const jane = {
  name: 'Jane',
  email: 'Jane@Example.org',
  userType: 'Standard',
  password: 'Given-Horse-9',
};
type Person = Record<string, unknown> & { id: number; name: string };

describeApp('users', (service) => {
  const { operator } = service;
  let stan: Caller;
  let stansId: number;
  beforeEach(async () => {
    stan = service.as(await service.createToken('stan'));
    stansId = await findId('Stan');
  });

  const create = (change: object = {}) => operator.post('/user', { ...jane, ...change });
  const change = (id: number, body: object, by = operator) => by.put(`/user/${id}`, body);
  const remove = (id: number) => operator.delete(`/user/${id}`);
  const list = async (query = '', body?: object) =>
    (await operator.post(`/user/all${query}`, body).json) as {
      objectList: Person[];
      totalCount: number;
    };
  const names = async (query = '', body?: object) =>
    (await list(query, body)).objectList.map(({ name }) => name);
  const findId = async (name: string) => (await list('', { keyword: name })).objectList[0]?.id ?? 0;
  const signInAs = async (username: string, typed: string) =>
    (await service.signIn(username, typed).json)['user'];

  describe('list', () => {
    test('lists every user with the details for administrators', async () => {
      await create();
      const { objectList, totalCount } = await list();
      expect(totalCount).toBe(3);
      const { password: _never, ...shown } = jane;
      expect(objectList).toMatchObject([
        {
          ...shown,
          avatar: null,
          canDelete: true,
          lastSignInAt: null,
          createdAt: service.now,
          twoFactor: false,
          mustChangePassword: true,
        },
        {
          name: 'Operator',
          userType: 'Admin',
          canDelete: false,
          lastSignInAt: service.now,
          mustChangePassword: false,
        },
        { name: 'Stan', canDelete: true },
      ]);
      // The password is only ever sent, never returned.
      expect(Object.keys(objectList[0] ?? {})).toEqual(
        expect.arrayContaining(specified.mappedUser.filter((name) => name !== 'password')),
      );
      expect(JSON.stringify(objectList)).not.toContain('argon2');
    });

    test('is sorted, paged and searched by name and address', async () => {
      await create();
      expect(await names('?sort=-name')).toEqual(['Stan', 'Operator', 'Jane']);
      expect((await names('?sort=userType'))[0]).toBe('Operator');
      service.now += 1000;
      await service.signIn('stan');
      expect(await names('?sort=-lastSignInAt')).toEqual(['Stan', 'Operator', 'Jane']);
      const page = await list('?offset=1&size=1');
      expect(page).toMatchObject({ objectList: [{ name: 'Operator' }], totalCount: 3 });
      const found = await list('', { keyword: 'jAnE@' });
      expect(found).toMatchObject({ objectList: [{ name: 'Jane' }], totalCount: 1 });
      expect(await list('', { keyword: '%' })).toEqual({ objectList: [], totalCount: 0 });
      const [status, words] = await operator.post('/user/all?sort=password_hash').refusal;
      expect([status, words]).toEqual([422, expect.stringContaining('sort must be one of: name')]);
    });

    test('offers the users as options', async () => {
      const json = (await operator.get('/user/options').json) as unknown as readonly object[];
      expect(Object.keys(json[0] ?? {})).toEqual(specified.userOption);
      const id = await findId('Operator');
      expect(json).toEqual([
        { key: id, id, name: 'Operator', email: 'Operator@Example.org' },
        { key: stansId, id: stansId, name: 'Stan', email: 'Stan@Example.org' },
      ]);
    });
  });

  describe('new user', () => {
    test('signs in with the given password and must replace it', async () => {
      const given = { name: 'Jane', userType: 'Standard', timezone: 'Asia/Kolkata' };
      expect(await create(given).json).toMatchObject(given);
      const user = await signInAs('jane@example.org', jane.password);
      expect(user).toMatchObject({ ...given, mustChangePassword: true });
    });

    const noName = 'name may not contain @, line breaks or invisible characters.';
    test.each([
      [{ name: '' }, 422, 'name is required.'],
      [{ name: 'a@b' }, 422, noName],
      [{ name: 'half \ud800' }, 422, noName],
      [{ name: 'x'.repeat(101) }, 422, 'Size of Name must be less than 100.'],
      [{ email: 'nobody' }, 422, 'email must be a valid email.'],
      [{ userType: 'Root' }, 422, 'userType must be one of: Admin, Approver, Operator, Standard.'],
      [{ timezone: 'Mars/Olympus' }, 422, 'timezone must be the name of a time zone, such as'],
      [{ password: 'short' }, 422, "New password doesn't match the required criterias."],
      [{ name: 'STAN' }, 409, "The name 'STAN' is already taken."],
      [{ email: 'STAN@example.org' }, 409, 'The address STAN@example.org is already used by'],
      [{ email: '', password: undefined }, 422, 'An invitation needs an email address.'],
      [{ password: undefined }, 409, 'No email can be sent yet.'],
    ])('is rejected with %j', async (wrong, status, words) => {
      expect(await create(wrong).refusal).toEqual([status, expect.stringContaining(words)]);
      expect((await list()).totalCount).toBe(2);
    });

    test('is invited by email without a password, and signs in once one is chosen', async () => {
      await service.database.script('delete from outbox');
      await writeEmailConfig(service.database, secretBox(Buffer.alloc(32)), buildEmailConfig({}));
      const { id } = await create({ password: undefined }).json;
      const invited = await operator.post(`/user/${String(id)}/invitation`).json;
      expect(invited).toEqual({ message: 'An invitation has been sent to Jane@Example.org.' });
      const mails = await service.rows('select recipient, body from outbox order by id');
      const words = 'Operator has created a Patch Repository account for you.';
      expect(mails[0]).toEqual({
        recipient: 'Jane@Example.org',
        body: expect.stringContaining(words),
      });
      const [first, second] = mails.map(
        ({ body }) =>
          /https:\/\/patch\.example\.org\/reset-password\/([\w-]{43})\n/.exec(String(body))?.[1],
      );
      service.now += 71 * hour;
      const choose = (link?: string) =>
        service.anyone.post(`/user/passwordreset/${link}`, { newPassword: 'Chosen-Horse-5' });
      expect([await choose(first).status, await choose(second).status]).toEqual([404, 200]);
      const user = await signInAs('jane', 'Chosen-Horse-5');
      expect(user).toMatchObject({ mustChangePassword: false });
    });
  });

  describe('change', () => {
    test('shows a new name, address and time zone at once, also in a session', async () => {
      expect(await stan.get('/me').status).toBe(200);
      const next = { name: 'Stanley', email: 'stanley@example.org', timezone: 'Europe/Berlin' };
      const { json } = await change(stansId, next);
      expect(json).toMatchObject({ id: stansId, ...next, userType: 'Standard' });
      expect(await stan.get('/me').json).toMatchObject(next);
      expect(await change(stansId, { name: 'Operator' }).outcome).toBe('409 name_taken');
      expect(await change(stansId, { name: 'STANLEY' }).json).toMatchObject({ name: 'STANLEY' });
    });

    test('allows everybody their own name and time zone, and nothing else', async () => {
      const own = { name: 'Stanley', timezone: 'Europe/Istanbul' };
      expect(await stan.put('/me/profile', own).status).toBe(200);
      expect(await stan.get('/me').json).toMatchObject(own);
      expect(await stan.put('/me/profile', { name: 'operator' }).outcome).toBe('409 name_taken');
      expect(await stan.put('/me/profile', { userType: 'Admin' }).status).toBe(422);
    });

    test('applies a new type at once', async () => {
      const mayList = () => stan.post('/user/all').status;
      expect(await mayList()).toBe(403);
      await change(stansId, { userType: 'Admin' });
      expect(await mayList()).toBe(200);
      await change(stansId, { userType: 'Standard' });
      expect(await mayList()).toBe(403);
    });

    test('ends the sessions after a new password, which must be replaced', async () => {
      expect(await change(stansId, { password: 'weak' }).outcome).toBe('422 weak_password');
      expect(await stan.get('/me').status).toBe(200);
      expect(await change(stansId, { password: 'Given-Horse-9' }).status).toBe(200);
      expect(await stan.get('/me').status).toBe(401);
      expect(await service.signIn('stan', password).status).toBe(401);
      const user = await signInAs('stan', 'Given-Horse-9');
      expect(user).toMatchObject({ mustChangePassword: true });
    });

    test('unlocks a locked-out user with a new password', async () => {
      for (let turn = 0; turn < 5; turn++) await service.signIn('stan', 'wrong');
      await change(stansId, { name: 'Stan' });
      expect(await service.signIn('stan').status).toBe(429);
      await change(stansId, { password: 'Given-Horse-9' });
      expect(await service.signIn('stan', 'Given-Horse-9').status).toBe(200);
    });

    test("refuses one's own password, which is changed elsewhere", async () => {
      const own = change(await findId('Operator'), { password: 'Given-Horse-9' });
      expect(await own.outcome).toBe('409 own_password');
    });

    test('answers 404 for an unknown user', async () => {
      expect(await change(999_999, { name: 'X' }).outcome).toBe('404 no_such_user');
      expect(await remove(999_999).outcome).toBe('404 no_such_user');
    });
  });

  describe('administrator', () => {
    test('cannot demote or remove the last administrator, even with a key', async () => {
      const id = await findId('Operator');
      expect(await change(id, { userType: 'Standard' }).outcome).toBe('409 last_administrator');
      expect(await remove(id).outcome).toBe('409 oneself');
      const { objectList } = await list('', { keyword: 'operator' });
      expect(objectList).toMatchObject([{ userType: 'Admin', canDelete: false }]);
    });

    test('cannot change their own type or remove themselves', async () => {
      await create({ userType: 'Admin' });
      const id = await findId('Operator');
      expect(await change(id, { userType: 'Standard' }).outcome).toBe('409 own_type');
      const { json } = await change(id, { userType: 'Admin', name: 'Chief' });
      expect(json).toMatchObject({ name: 'Chief', canDelete: false });
      expect(await remove(id).outcome).toBe('409 oneself');
    });

    test('remains when two administrators demote each other at once', async () => {
      await create({ userType: 'Admin' });
      await service.database.script(
        "update users set must_change_password = false where name = 'Jane'",
      );
      const other = service.as((await service.signIn('jane', jane.password).json)['token']);
      const [id, otherId] = [await findId('Operator'), await findId('Jane')];
      const statuses = await Promise.all([
        change(id, { userType: 'Standard' }, other).status,
        change(otherId, { userType: 'Standard' }).status,
      ]);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(await service.rows("select 1 from users where user_type = 'Admin'")).toHaveLength(1);
    });
  });

  test('may be limited only to groups that exist', async () => {
    const group = { name: 'Servers', criteria: '', owner: null };
    const id = Number((await operator.post('/machines/groups', group).json)['id']);
    const missing = [404, `Group ${id + 7} does not exist.`];
    expect(await create({ machineGroups: [id, id + 7] }).refusal).toEqual(missing);
    expect(await change(stansId, { machineGroups: [id + 7] }).refusal).toEqual(missing);
    const { json } = await change(stansId, { machineGroups: [id] });
    expect(json).toMatchObject({ machineGroups: [id] });
    expect(await operator.delete(`/machines/groups/${id}`).status).toBe(200);
  });

  test('removes a user together with their sessions', async () => {
    expect(await stan.get('/me').status).toBe(200);
    expect(await remove(stansId).json).toEqual({ message: 'Stan has been removed.' });
    expect(await stan.get('/me').status).toBe(401);
    expect(await service.signIn('stan').status).toBe(401);
    expect(await names()).toEqual(['Operator']);
  });
});
