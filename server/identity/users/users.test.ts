import { specified } from '@patch/catalogue/testing/specified.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { queryRows } from '../../platform/database/query-rows.ts';
import { writeEmailConfig } from '../../platform/mail/email-config-store.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';

const mailConfig = {
  server: 'localhost',
  port: 25,
  protocol: 'smtp' as const,
  securityType: 'none' as const,
  email: 'patch@example.org',
  password: '',
  replyToEmail: '',
  toEmailId: '',
  senderName: 'Patch Repository',
};
const jane = {
  name: 'Jane',
  email: 'Jane@Example.org',
  userType: 'Standard',
  password: 'Given-Horse-9',
};
type Person = Record<string, unknown> & { id: number; name: string };

describeWithDatabase('users', (open) => {
  const service = withSignInApp(open);
  let operator: string;
  beforeEach(async () => {
    operator = await service.tokenOf('operator');
  });

  const create = (change: object = {}, token = operator) =>
    service.ask('POST', '/user', { token, body: { ...jane, ...change } });
  const created = async (change: object = {}) => (await create(change)).json as Person;
  const change = (id: number, body: object, token = operator) =>
    service.ask('PUT', `/user/${id}`, { token, body });
  const remove = (id: number, token = operator) => service.ask('DELETE', `/user/${id}`, { token });
  const list = async (query = '', body?: object) => {
    const { json } = await service.ask('POST', `/user/all${query}`, {
      token: operator,
      ...(body !== undefined && { body }),
    });
    return json as { objectList: Person[]; totalCount: number };
  };
  const names = ({ objectList }: { objectList: Person[] }) => objectList.map(({ name }) => name);
  const idOf = async (name: string) => (await list('', { keyword: name })).objectList[0]?.id ?? 0;

  describe('the list', () => {
    test('lists every user with the details for administrators', async () => {
      await created();
      const { objectList, totalCount } = await list();
      expect(totalCount).toBe(3);
      expect(objectList).toMatchObject([
        {
          name: 'Jane',
          email: 'Jane@Example.org',
          userType: 'Standard',
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

    test('is sorted, paged and searched in name and address', async () => {
      await created();
      expect(names(await list('?sort=-name'))).toEqual(['Stan', 'Operator', 'Jane']);
      expect(names(await list('?sort=userType'))[0]).toBe('Operator');
      expect(names(await list('?sort=-lastSignInAt'))).toEqual(['Operator', 'Jane', 'Stan']);
      expect(await list('?offset=1&size=1')).toMatchObject({
        objectList: [{ name: 'Operator' }],
        totalCount: 3,
      });
      expect(await list('', { keyword: 'jAnE@' })).toMatchObject({
        objectList: [{ name: 'Jane' }],
        totalCount: 1,
      });
      expect(await list('', { keyword: '%' })).toEqual({ objectList: [], totalCount: 0 });
      expect(
        await service.ask('POST', '/user/all', { token: operator, body: { keyword: 'a\0b' } }),
      ).toMatchObject({
        status: 422,
        json: { userMessage: 'keyword must be one line without control or invisible characters.' },
      });
      const { status, json } = await service.ask('POST', '/user/all?sort=password_hash', {
        token: operator,
      });
      expect([status, String(json['userMessage']).slice(0, 35)]).toEqual([
        422,
        'sort must be one of: name, -name, e',
      ]);
    });

    test('offers the users as options', async () => {
      const { json } = await service.ask('GET', '/user/options', { token: operator });
      expect(Object.keys((json as unknown as readonly object[])[0] ?? {})).toEqual(
        specified.userOption,
      );
      const [id, other] = [await idOf('Operator'), await idOf('Stan')];
      expect(json).toEqual([
        { key: id, id, name: 'Operator', email: 'Operator@Example.org' },
        { key: other, id: other, name: 'Stan', email: 'Stan@Example.org' },
      ]);
    });
  });

  describe('a new user', () => {
    test('signs in with the given password and must replace it', async () => {
      expect(await create({ timezone: 'Asia/Kolkata' })).toMatchObject({
        status: 201,
        json: { name: 'Jane', timezone: 'Asia/Kolkata' },
      });
      expect((await service.signIn('jane@example.org', jane.password)).json).toMatchObject({
        user: {
          name: 'Jane',
          userType: 'Standard',
          mustChangePassword: true,
          timezone: 'Asia/Kolkata',
        },
      });
    });

    test.each([
      [{ name: '' }, 422, 'name is required.'],
      [{ name: 'a@b' }, 422, 'name may not contain @, line breaks or invisible characters.'],
      [
        { name: 'half \ud800' },
        422,
        'name may not contain @, line breaks or invisible characters.',
      ],
      [{ name: 'x'.repeat(101) }, 422, 'Size of Name must be less than 100.'],
      [{ email: 'nobody' }, 422, 'email must be a valid email.'],
      [{ userType: 'Root' }, 422, 'userType must be one of: Admin, Standard.'],
      [
        { timezone: 'Mars/Olympus' },
        422,
        'timezone must be the name of a time zone, such as Europe/Berlin.',
      ],
      [{ password: 'short' }, 422, "New password doesn't match the required criterias."],
      [{ name: 'STAN' }, 409, "The name 'STAN' is already taken."],
      [
        { email: 'STAN@example.org' },
        409,
        'The address STAN@example.org is already used by another user.',
      ],
      [{ email: '', password: undefined }, 422, 'An invitation needs an email address.'],
      [{ password: undefined }, 409, 'No mail can be sent yet.'],
    ])('with %j is rejected with a message', async (wrong, status, words) => {
      const answered = await create(wrong);
      expect(answered.status).toBe(status);
      expect(answered.json['userMessage']).toContain(words);
      expect((await list()).totalCount).toBe(2);
    });

    test('without a password is invited by mail, and signs in once one is chosen', async () => {
      await service.database.script('delete from mail_outbox');
      await writeEmailConfig(service.database, secretBox(Buffer.alloc(32)), mailConfig);
      const { id } = await created({ password: undefined });
      const mails = async () =>
        await queryRows(
          service.database,
          z.object({ recipient: z.string(), body: z.string() }),
          'select recipient, body from mail_outbox order by id',
        );
      const linkIn = (body = '') =>
        /https:\/\/patch\.example\.org\/reset-password\/([\w-]{43})\n/.exec(body)?.[1] ?? 'no link';
      const [first] = await mails();
      expect(first?.recipient).toBe('Jane@Example.org');
      expect(first?.body).toContain('Operator has created a Patch Repository account for you.');

      expect(
        (await service.ask('POST', `/user/${id}/invitation`, { token: operator })).json,
      ).toEqual({
        message: 'An invitation has been sent to Jane@Example.org.',
      });
      const link = linkIn((await mails())[1]?.body);
      service.now += 71 * 60 * minute;
      const choose = (of: string) =>
        service.ask('POST', `/user/passwordreset/${of}`, {
          body: { newPassword: 'Chosen-Horse-5' },
        });
      expect((await choose(linkIn(first?.body))).status).toBe(404);
      expect((await choose(link)).status).toBe(200);
      expect((await service.signIn('jane', 'Chosen-Horse-5')).json).toMatchObject({
        user: { mustChangePassword: false },
      });
    });
  });

  describe('a change', () => {
    test('of name, address and time zone is seen at once, by a session as well', async () => {
      const [stan, id] = [await service.tokenOf('stan'), await idOf('Stan')];
      expect(await service.me(stan)).toBe(200);
      const next = { name: 'Stanley', email: 'stanley@example.org', timezone: 'Europe/Berlin' };
      expect(await change(id, next)).toMatchObject({
        status: 200,
        json: { id, ...next, userType: 'Standard' },
      });
      expect((await service.ask('GET', '/me', { token: stan })).json).toMatchObject(next);
      expect(await change(id, { name: 'Operator' })).toMatchObject({
        status: 409,
        json: { code: 'name_taken' },
      });
      expect(await change(id, { name: 'STANLEY' })).toMatchObject({
        status: 200,
        json: { name: 'STANLEY' },
      });
    });

    test('of one’s own name and time zone is open to everybody, and of nothing else', async () => {
      await created();
      const token = await service.tokenOf('stan');
      const own = (body: object) => service.ask('PUT', '/me/profile', { token, body });
      expect((await own({ name: 'Stanley', timezone: 'Europe/Istanbul' })).status).toBe(200);
      expect((await service.ask('GET', '/me', { token })).json).toMatchObject({
        name: 'Stanley',
        timezone: 'Europe/Istanbul',
      });
      expect(await own({ name: 'jane' })).toMatchObject({
        status: 409,
        json: { code: 'name_taken' },
      });
      expect((await own({ userType: 'Admin' })).status).toBe(422);
    });

    test('of the type counts at once', async () => {
      const [stan, id] = [await service.tokenOf('stan'), await idOf('Stan')];
      const mayList = async () => (await service.ask('POST', '/user/all', { token: stan })).status;
      expect(await mayList()).toBe(403);
      await change(id, { userType: 'Admin' });
      expect(await mayList()).toBe(200);
      await change(id, { userType: 'Standard' });
      expect(await mayList()).toBe(403);
    });

    test('of the password ends the sessions, and another is to be chosen', async () => {
      const [stan, id] = [await service.tokenOf('stan'), await idOf('Stan')];
      expect(await change(id, { password: 'weak' })).toMatchObject({
        status: 422,
        json: { code: 'weak_password' },
      });
      expect(await service.me(stan)).toBe(200);
      expect((await change(id, { password: 'Given-Horse-9' })).status).toBe(200);
      expect(await service.me(stan)).toBe(401);
      expect((await service.signIn('stan', password)).status).toBe(401);
      expect((await service.signIn('stan', 'Given-Horse-9')).json).toMatchObject({
        user: { mustChangePassword: true },
      });
    });

    test('of the password unlocks a locked-out user', async () => {
      const id = await idOf('Stan');
      for (let turn = 0; turn < 5; turn++) await service.signIn('stan', 'wrong');
      await change(id, { name: 'Stan' });
      expect((await service.signIn('stan')).status).toBe(429);
      await change(id, { password: 'Given-Horse-9' });
      expect((await service.signIn('stan', 'Given-Horse-9')).status).toBe(200);
    });

    test('of one’s own password is made where the current one is asked', async () => {
      expect(await change(await idOf('Operator'), { password: 'Given-Horse-9' })).toMatchObject({
        status: 409,
        json: { code: 'own_password' },
      });
    });

    test('of an unknown user is answered with 404', async () => {
      expect(await change(999_999, { name: 'X' })).toMatchObject({
        status: 404,
        json: { code: 'no_such_user' },
      });
      expect(await remove(999_999)).toMatchObject({ status: 404, json: { code: 'no_such_user' } });
    });
  });

  describe('an administrator', () => {
    const last = { status: 409, json: { code: 'last_administrator' } };

    test('keeps the last administrator from being demoted or removed, even with a key', async () => {
      const id = await idOf('Operator');
      expect(await change(id, { userType: 'Standard' })).toMatchObject(last);
      expect(await remove(id)).toMatchObject({ status: 409, json: { code: 'oneself' } });
      expect((await list('', { keyword: 'operator' })).objectList).toMatchObject([
        { userType: 'Admin', canDelete: false },
      ]);
    });

    test('cannot change their own type, or remove themselves', async () => {
      await created({ userType: 'Admin' });
      const id = await idOf('Operator');
      expect(await change(id, { userType: 'Standard' })).toMatchObject({
        status: 409,
        json: { code: 'own_type' },
      });
      expect(await change(id, { userType: 'Admin', name: 'Chief' })).toMatchObject({
        status: 200,
        json: { name: 'Chief', canDelete: false },
      });
      expect(await remove(id)).toMatchObject({ status: 409, json: { code: 'oneself' } });
    });

    test('keeps one of two administrators who demote each other concurrently', async () => {
      await created({ userType: 'Admin' });
      await service.database.script(
        "update users set must_change_password = false where name = 'Jane'",
      );
      const token = String((await service.signIn('jane', jane.password)).json['token']);
      const [one, other] = [await idOf('Operator'), await idOf('Jane')];
      const answered = await Promise.all([
        change(one, { userType: 'Standard' }, token),
        change(other, { userType: 'Standard' }),
      ]);
      expect(answered.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const { rows } = await service.database.query(
        "select 1 from users where user_type = 'Admin'",
      );
      expect(rows).toHaveLength(1);
    });
  });

  test('removes a user together with their sessions', async () => {
    const [stan, id] = [await service.tokenOf('stan'), await idOf('Stan')];
    expect(await service.me(stan)).toBe(200);
    expect(await remove(id)).toMatchObject({
      status: 200,
      json: { message: 'Stan has been removed.' },
    });
    expect(await service.me(stan)).toBe(401);
    expect((await service.signIn('stan')).status).toBe(401);
    expect(names(await list())).toEqual(['Operator']);
  });
});
