/** A leaked API key with every scope must not lead to an account takeover. */
import { combinableScopes } from '@patch/contract/accounts/api-key-endpoints.ts';
import type { ApiKeyScope } from '@patch/contract/base/endpoint.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { defaultSettings, provenSettings } from '@patch/contract/operations/settings-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addJob } from '../../operations/downloads/download-job-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { buildEmailConfig, buildJob, configWithoutOverrides } from '../../testing/factories.ts';
import { describeApp } from '../sign-in/testing/sign-in-app.ts';

const mailServer = buildEmailConfig({ password: 'Let-me-send-1', toEmailId: 'ops@example.org' });
const refused = '403 not_with_api_key';

describeApp('an API key with every scope', (service) => {
  let app: FastifyInstance;
  let operator: Caller;
  let key: Caller;
  const createKey = async (scopes: readonly ApiKeyScope[]) =>
    service.as(await service.createKey(service.operator, ...scopes)).at(app);
  beforeEach(async () => {
    await service.database.script('delete from outbox');
    app = await service.start({ config: configWithoutOverrides });
    operator = service.operator.at(app);
    key = await createKey(combinableScopes);
  });
  afterEach(() => app.close());

  test('cannot redirect the emails that reset passwords', async () => {
    expect(await operator.post('/emailconfig', mailServer).status).toBe(200);
    const address = { baseUrl: 'https://patch.example.org' };
    expect(await operator.put('/settings', address).status).toBe(200);

    const stolen = { ...mailServer, server: '127.0.0.1', port: 587, email: 'a@attacker.example' };
    expect(await key.post('/emailconfig', stolen).outcome).toBe(refused);
    const baseUrl = 'https://attacker.example';
    expect(await key.put('/settings', { baseUrl }).outcome).toBe(refused);

    await service.anyone.at(app).post('/user/forgotpassword', { email: 'operator@example.org' });
    const sent = async () =>
      JSON.stringify((await service.database.query('select * from outbox')).rows);
    // The email is written after the reply, so that the response time reveals nothing.
    await vi.waitFor(async () =>
      expect(await sent()).toContain('https://patch.example.org/reset-password/'),
    );
    expect(await sent()).not.toContain('attacker');
    const { password: _never, ...shown } = mailServer;
    expect(await key.get('/emailconfig').json).toEqual({ ...shown, passwordSet: true });
  });

  test('cannot change settings that accounts depend on, alone or beside another setting', async () => {
    for (const name of provenSettings)
      for (const beside of [{}, { runsKept: 77 }]) {
        const body = { ...beside, [name]: defaultSettings[name] };
        expect(await key.put('/settings', body).outcome, name).toBe(refused);
      }
    expect((await key.get('/settings').json)['settings']).toEqual(defaultSettings);
    expect(await key.put('/settings', { runsKept: 77 }).status).toBe(200);
  });

  test('gets a database dump, which contains all password hashes, only with the scope backup', async () => {
    const dump = buildJob({ kind: 'database_dump' as const });
    const { id } = await addJob(service.database, dump, service.now);
    const requestDumps = async (scopes: readonly ApiKeyScope[]) => {
      const by = await createKey(scopes);
      const made = await by.post('/downloads', { kind: 'database_dump', options: {} }).outcome;
      return [made, await by.post(`/downloads/${id}/ticket`).outcome];
    };
    const others = combinableScopes.filter((scope) => scope !== 'backup');
    for (const scopes of [['manage'], ['backup'], others] as const)
      expect(new Set(await requestDumps(scopes)), scopes.join()).toEqual(
        new Set(['403 scope_missing']),
      );
    // Downloads are unavailable in this process, so the request ends with that error.
    const withBackup = await requestDumps(['manage', 'backup']);
    expect(withBackup).toEqual(['503 no_downloads', '409 download_not_done']);
  });

  test('is refused by every call for people, sessions, keys, factors and the identity provider', () => {
    const accounts = endpoints.filter(
      ({ path, access, reads }) =>
        access !== 'public' &&
        /^\/(user\b|apikeys|me\/|signout|ssoconfig$)/.test(path) &&
        reads !== true &&
        access !== 'client',
    );
    expect(accounts.length).toBeGreaterThan(30);
    const made = accounts.filter(({ method, scope }) => method !== 'GET' && scope !== undefined);
    expect(made.map(({ name }) => name)).toEqual([]);
  });
});
