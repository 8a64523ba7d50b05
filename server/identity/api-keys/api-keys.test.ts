import { maxApiKeys, scopesOfUserType } from '@patch/contract/accounts/api-key-endpoints.ts';
import { apiKeyScopes } from '@patch/contract/base/endpoint.ts';
import { may, userTypes } from '@patch/contract/base/user-types.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { expect, test } from 'vitest';
import { password } from '../../testing/factories.ts';
import { day, describeApp, minute } from '../sign-in/testing/sign-in-app.ts';

test.each(userTypes)(
  'allows the type %s the scopes of the calls that its users may make',
  (type) => {
    const theirs = apiKeyScopes.filter(
      (scope) =>
        // A key is a database dump's second proof, which no call names as its scope.
        (scope === 'backup' && type === 'Admin') ||
        endpoints.some(
          ({ access, scope: needed }) =>
            needed === scope && access !== 'public' && access !== 'client' && may(type, access),
        ),
    );
    expect(scopesOfUserType[type].toSorted()).toEqual(theirs.toSorted());
  },
);

const year = 366 * day;

describeApp('API keys', (service) => {
  const { operator, stan } = service;
  const make = (change: object = {}, by = operator) =>
    by.post('/me/apikeys', {
      name: 'Reports',
      scopes: ['read'],
      expiresAt: service.now + year,
      ...change,
    });
  const made = async (change: object = {}, by = operator) =>
    String((await make(change, by).json)['key']);
  const list = (by = operator) => by.get('/me/apikeys').list;
  const requestStatus = (key: string, path = '/patchsync/sources') =>
    service.as(key).get(path).status;

  test('are shown once; the database has their hash and their prefix', async () => {
    const { status, json } = await make({ scopes: ['manage', 'read', 'read'] });
    expect(status).toBe(201);
    const key = String(json['key']);
    expect(key).toMatch(/^prk_[\w-]{43}$/);
    const shown = {
      name: 'Reports',
      prefix: key.slice(0, 10),
      scopes: ['read', 'manage'],
      ownerName: 'Operator',
      createdAt: service.now,
      expiresAt: service.now + year,
      lastUsedAt: null,
    };
    expect(await list()).toMatchObject([shown]);
    const { rows } = await service.database.query('select * from api_key');
    expect(JSON.stringify([rows, await list(), service.lines])).not.toContain(key.slice(10));
  });

  test("make the calls of their scopes in their owner's name, and record their last use", async () => {
    const key = await made();
    const lastUsed = async () => (await list())[0]?.['lastUsedAt'];
    expect(await service.as(key).get('/me').json).toMatchObject({ name: 'Operator' });
    const first = service.now;
    expect(await lastUsed()).toBe(first);
    for (const noted of [first, first + minute]) {
      service.now += minute / 2;
      expect(await requestStatus(key)).toBe(200);
      expect(await lastUsed()).toBe(noted);
    }
  });

  test('stop working when they expire or are revoked', async () => {
    const brief = await made({ expiresAt: service.now + minute });
    const ended = await made({ name: 'Ended' });
    expect([await requestStatus(brief), await requestStatus(ended)]).toEqual([200, 200]);
    const id = (await list()).find(({ name }) => name === 'Ended')?.['id'];
    expect(await operator.delete(`/me/apikeys/${String(id)}`).json).toEqual({
      message: "The API key 'Ended' has been ended.",
    });
    service.now += minute;
    for (const key of [brief, ended, `prk_${'x'.repeat(43)}`, 'prk_short'])
      expect(await requestStatus(key), key).toBe(401);
  });

  test('may do no more than their owner currently may', async () => {
    const [admins, stans] = [await made({ scopes: ['manage'] }), await made({}, stan)];
    const change = (text: string) => service.database.script(text);
    expect(await requestStatus(admins, '/settings')).toBe(200);
    await change("update users set user_type = 'Standard' where name = 'Operator'");
    expect(await requestStatus(admins, '/settings')).toBe(403);
    await change("update users set must_change_password = true where name = 'Operator'");
    expect(await requestStatus(admins, '/settings')).toBe(403);
    expect(await requestStatus(stans)).toBe(200);
    await change("delete from users where name = 'Stan'");
    expect(await requestStatus(stans)).toBe(401);
  });

  const allScopes =
    'scopes.0 must be one of: read, sync, clients, manage, backup, assess, formats, events, report.';
  const forAdministrators =
    'Your keys cannot have the scope manage. They can have: read, assess, formats, events.';
  test.each([
    [{ scopes: ['manage'] }, 422, forAdministrators],
    [{ scopes: [] }, 422, 'scopes must have at least one.'],
    [{ scopes: ['all'] }, 422, allScopes],
    [{ name: ' ' }, 422, 'name is required.'],
    [{ name: 'two\0' }, 422, 'name must be one line without control or invisible characters.'],
    [{ expiresAt: 8.64e15 + 1 }, 422, 'expiresAt must be a valid time.'],
    [{ expiresAt: 1 }, 422, 'The expiry is in the past. Choose a later time.'],
    [{ expiresAt: null }, 422, 'expiresAt must be a number.'],
    [
      { expiresAt: Date.UTC(2028, 0, 1) },
      422,
      'A key is valid for at most one year. Choose an earlier time.',
    ],
    [{ name: 'REPORTS' }, 409, "You already have a key named 'REPORTS'. Choose another name."],
  ])('are refused with %j', async (change, status, userMessage) => {
    await made({}, stan);
    expect(await make(change, stan).refusal).toEqual([status, userMessage]);
    expect(await list(stan)).toHaveLength(1);
  });

  test('respect the maximum when many are created at once', async () => {
    const names = Array.from({ length: maxApiKeys + 8 }, (_, n) => `Key ${n}`);
    const statuses = await Promise.all(names.map((name) => make({ name }).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(maxApiKeys);
    expect(statuses.filter((status) => status === 409)).toHaveLength(8);
    expect(await list()).toHaveLength(maxApiKeys);
  });

  test.each([true, false])(
    'end with a password change when the person says so: %s',
    async (endApiKeys) => {
      const [mine, others] = [await made(), await made({}, stan)];
      const body = { oldPassword: password, newPassword: 'Another-Horse-8', endApiKeys };
      expect(await operator.post('/user/changepassword', body).status).toBe(200);
      expect([await requestStatus(mine), await requestStatus(others)]).toEqual([
        endApiKeys ? 401 : 200,
        200,
      ]);
    },
  );

  test('are all visible to administrators, who may end them, and only own ones to others', async () => {
    await made();
    await made({}, stan);
    const owners = async (query = '') =>
      (await operator.get(`/apikeys${query}`).list).map(({ ownerName }) => ownerName);
    expect(await owners()).toEqual(['Stan', 'Operator']);
    const [stans] = await list(stan);
    expect(await owners(`?user=${String(stans?.['ownerId'])}`)).toEqual(['Stan']);
    const [operators] = await list();
    expect(await stan.delete(`/me/apikeys/${String(operators?.['id'])}`).status).toBe(404);
    expect(await operator.delete(`/apikeys/${String(stans?.['id'])}`).status).toBe(200);
    expect(await list(stan)).toEqual([]);
  });
});
