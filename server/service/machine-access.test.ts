/** Who may ask what a machine misses: everyone who is signed in, and API keys with the scope. */
import { beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../identity/sign-in/testing/sign-in-app.ts';
import { activate, emptyRegistry, register } from '../licensing/clients/testing/client-registry.ts';
import { describeWithDatabase } from '../testing/databases.ts';

const body = { text: 'ID=almalinux\nVERSION_ID="8.9"\nbash-4.4.20-4.el8.x86_64\n' };

describeWithDatabase('assessments', (open) => {
  const service = withSignInApp(open);
  beforeEach(() => emptyRegistry(service.database));

  const assess = (token?: string) =>
    service.ask('POST', '/assessments', { body, ...(token !== undefined && { token }) });
  const keyOf = async (person: string, scope: string) => {
    const { status, json } = await service.ask('POST', '/me/apikeys', {
      token: await service.tokenOf(person),
      body: { name: scope, scopes: [scope], expiresAt: service.now + 3_600_000 },
    });
    expect(status).toBe(201);
    return String(json['key']);
  };

  test.each(['operator', 'stan'])(
    '%s may ask, signed in and with a key of the scope',
    async (person) => {
      for (const token of [await service.tokenOf(person), await keyOf(person, 'assess')]) {
        const reply = await assess(token);
        expect(reply.status).toBe(200);
        expect(reply.json).toMatchObject({ machine: { distribution: 'almalinux', packages: 1 } });
      }
    },
  );

  test.each(['operator', 'stan'])('a key of %s without the scope may not ask', async (person) => {
    expect(await assess(await keyOf(person, 'read'))).toMatchObject({
      status: 403,
      json: { code: 'scope_missing' },
    });
  });

  test('a key with the scope alone may ask nothing else', async () => {
    const key = await keyOf('stan', 'assess');
    expect(await service.ask('GET', '/patchsync/sources', { token: key })).toMatchObject({
      status: 403,
      json: { code: 'scope_missing' },
    });
  });

  test('neither strangers nor licensed clients may ask', async () => {
    expect((await assess()).status).toBe(401);
    const token = await activate(service, await register(service));
    expect((await assess(token)).status).toBe(401);
  });
});
