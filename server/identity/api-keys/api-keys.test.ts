import { maxApiKeys, scopesOfUserType } from '@patch/contract/api-key-endpoints.ts';
import { apiKeyScopes } from '@patch/contract/endpoint.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { password } from '../../testing/factories.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';

test('a Standard user’s key can have the scopes of the calls they may make', () => {
  const theirs = apiKeyScopes.filter((scope) =>
    endpoints.some((call) => call.access === 'standard' && call.scope === scope),
  );
  expect(scopesOfUserType).toEqual({ Admin: apiKeyScopes, Standard: theirs });
});

const year = 366 * 24 * 60 * minute;

describeWithDatabase('API keys', (open) => {
  const service = withSignInApp(open);
  let [operator, stan] = ['', ''];
  beforeEach(async () => {
    [operator, stan] = [await service.tokenOf('operator'), await service.tokenOf('stan')];
  });

  const make = (change: object = {}, token = operator) =>
    service.ask('POST', '/me/apikeys', {
      token,
      body: { name: 'Reports', scopes: ['read'], expiresAt: service.now + year, ...change },
    });
  const made = async (change: object = {}, token = operator) =>
    String((await make(change, token)).json['key']);
  const list = async (path = '/me/apikeys', token = operator) =>
    (await service.ask('GET', path, { token })).json['objList'] as Record<string, unknown>[];
  const asked = async (key: string, path = '/patchsync/sources') =>
    (await service.ask('GET', path, { token: key })).status;

  test('are shown once; what is kept is their hash and how they begin', async () => {
    const { status, json } = await make({ scopes: ['manage', 'read', 'read'] });
    expect(status).toBe(201);
    expect(json['key']).toMatch(/^prk_[\w-]{43}$/);
    const shown = {
      name: 'Reports',
      prefix: String(json['key']).slice(0, 10),
      scopes: ['read', 'manage'],
      ownerName: 'Operator',
      createdAt: service.now,
      expiresAt: service.now + year,
      lastUsedAt: null,
    };
    expect(await list()).toMatchObject([shown]);
    const { rows } = await service.database.query('select * from api_key');
    expect(JSON.stringify([rows, await list(), service.lines])).not.toContain(
      String(json['key']).slice(10),
    );
  });

  test('make the calls of their scopes in the name of their owner, and say when they were used', async () => {
    const key = await made();
    expect((await service.ask('GET', '/me', { token: key })).json).toMatchObject({
      name: 'Operator',
    });
    expect(await list()).toMatchObject([{ lastUsedAt: service.now }]);
    service.now += minute / 2;
    expect(await asked(key)).toBe(200);
    expect(await list()).toMatchObject([{ lastUsedAt: service.now - minute / 2 }]);
    service.now += minute / 2;
    expect(await asked(key)).toBe(200);
    expect(await list()).toMatchObject([{ lastUsedAt: service.now }]);
    expect(await service.ask('GET', '/settings', { token: key })).toMatchObject({
      status: 403,
      json: { code: 'scope_missing' },
    });
    expect(await make({ name: 'Other' }, key)).toMatchObject({
      status: 403,
      json: { code: 'not_with_api_key' },
    });
  });

  test('stop working when they expire or are revoked', async () => {
    const [brief, ended] = [
      await made({ expiresAt: service.now + minute }),
      await made({ name: 'Ended' }),
    ];
    expect([await asked(brief), await asked(ended)]).toEqual([200, 200]);
    const id = (await list()).find(({ name }) => name === 'Ended')?.['id'];
    expect(
      (await service.ask('DELETE', `/me/apikeys/${String(id)}`, { token: operator })).json,
    ).toEqual({
      message: "The API key 'Ended' has been ended.",
    });
    service.now += minute;
    expect([
      await asked(brief),
      await asked(ended),
      await asked(`prk_${'x'.repeat(43)}`),
      await asked('prk_short'),
    ]).toEqual([401, 401, 401, 401]);
  });

  test('may do no more than their owner may now', async () => {
    const [admins, stans] = [await made({ scopes: ['manage'] }), await made({}, stan)];
    const others = (key: string) => asked(key, '/settings');
    expect(await others(admins)).toBe(200);
    await service.database.script(
      "update users set user_type = 'Standard' where name = 'Operator'",
    );
    expect(await others(admins)).toBe(403);
    await service.database.script(
      "update users set must_change_password = true where name = 'Operator'",
    );
    expect(await others(admins)).toBe(403);
    expect(await asked(stans)).toBe(200);
    await service.database.script("delete from users where name = 'Stan'");
    expect(await asked(stans)).toBe(401);
  });

  test.each([
    [
      { scopes: ['manage'] },
      422,
      'Your keys cannot have the scope manage: it is for administrators.',
    ],
    [{ scopes: [] }, 422, 'scopes must have at least one.'],
    [
      { scopes: ['all'] },
      422,
      'scopes.0 must be one of: read, sync, clients, manage, backup, assess.',
    ],
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
  ])('with %j is not made', async (change, status, userMessage) => {
    await made({}, stan);
    expect(await make(change, stan)).toMatchObject({ status, json: { userMessage } });
    expect(await list('/me/apikeys', stan)).toHaveLength(1);
  });

  test('made at once are no more than there may be', async () => {
    const statuses = (
      await Promise.all(
        Array.from({ length: maxApiKeys + 8 }, (_, n) => make({ name: `Key ${n}` })),
      )
    ).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(maxApiKeys);
    expect(statuses.filter((status) => status === 409)).toHaveLength(8);
    expect(await list()).toHaveLength(maxApiKeys);
  });

  test.each([true, false])(
    'end with a password change when the person says so: %s',
    async (endApiKeys) => {
      const [mine, others] = [await made(), await made({}, stan)];
      const body = { oldPassword: password, newPassword: 'Another-Horse-8', endApiKeys };
      expect(
        (await service.ask('POST', '/user/changepassword', { token: operator, body })).status,
      ).toBe(200);
      expect([await asked(mine), await asked(others)]).toEqual([endApiKeys ? 401 : 200, 200]);
    },
  );

  test('administrators see and end all of them, others their own', async () => {
    await made();
    await made({}, stan);
    expect((await list('/apikeys')).map(({ ownerName }) => ownerName)).toEqual([
      'Stan',
      'Operator',
    ]);
    const [stans] = await list('/me/apikeys', stan);
    expect(await list(`/apikeys?user=${String(stans?.['ownerId'])}`)).toMatchObject([
      { ownerName: 'Stan' },
    ]);
    const [operators] = await list();
    expect(
      (await service.ask('DELETE', `/me/apikeys/${String(operators?.['id'])}`, { token: stan }))
        .status,
    ).toBe(404);
    expect(
      (await service.ask('DELETE', `/apikeys/${String(stans?.['id'])}`, { token: operator }))
        .status,
    ).toBe(200);
    expect(await list('/me/apikeys', stan)).toEqual([]);
  });
});
