/** A leaked API key with every scope must not lead to an account takeover. */
import { type ApiKeyScope, apiKeyScopes } from '@patch/contract/endpoint.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { defaultSettings, provenSettings } from '@patch/contract/settings-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addJob } from '../../operations/downloads/download-job-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { minute, withSignInApp } from '../sign-in/testing/sign-in-app.ts';

const mailServer = {
  server: 'localhost',
  port: 25,
  protocol: 'smtp',
  securityType: 'none',
  email: 'patch@example.org',
  password: 'Let-me-send-1',
  replyToEmail: '',
  toEmailId: 'ops@example.org',
  senderName: 'Patch Repository',
} as const;

/** Nothing is set by the environment. */
const unsettled = {
  trustProxy: 'loopback',
  mailTargets: ['localhost'],
  checkReplies: true,
  databaseUrl: null,
  baseUrl: null,
  sessionIdleMinutes: null,
  sessionMaxHours: null,
  feedMirror: null,
} as const;

describeWithDatabase('an API key with every scope', (open) => {
  const service = withSignInApp(open);
  let of: FastifyInstance;
  let operator = '';
  let key = '';
  beforeEach(async () => {
    await service.database.script('delete from mail_outbox');
    of = await service.start({ config: unsettled });
    operator = await service.tokenOf('operator');
    const body = { name: 'Leaked', scopes: apiKeyScopes, expiresAt: service.now + minute };
    key = String((await service.ask('POST', '/me/apikeys', { token: operator, body })).json['key']);
  });
  afterEach(() => of.close());

  const byKey = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    service.ask(method, path, { token: key, of, ...(body !== undefined && { body }) });
  const refused = { status: 403, json: { code: 'not_with_api_key' } };

  test('cannot lead the mails that reset passwords elsewhere', async () => {
    expect(
      (await service.ask('POST', '/emailconfig', { token: operator, of, body: mailServer })).status,
    ).toBe(200);
    const address = { baseUrl: 'https://patch.example.org' };
    expect(
      (await service.ask('PUT', '/settings', { token: operator, of, body: address })).status,
    ).toBe(200);

    const stolen = {
      ...mailServer,
      server: '127.0.0.1',
      port: 587,
      email: 'patch@attacker.example',
    };
    expect(await byKey('POST', '/emailconfig', stolen)).toMatchObject(refused);
    expect(await byKey('PUT', '/settings', { baseUrl: 'https://attacker.example' })).toMatchObject(
      refused,
    );

    await service.ask('POST', '/user/forgotpassword', {
      of,
      body: { email: 'operator@example.org' },
    });
    const sent = async () =>
      JSON.stringify((await service.database.query('select * from mail_outbox')).rows);
    // It is written after the reply, so that the response time reveals nothing.
    await vi.waitFor(async () =>
      expect(await sent()).toContain('https://patch.example.org/reset-password/'),
    );
    expect(await sent()).not.toContain('attacker');
    const { password: _never, ...shown } = mailServer;
    expect((await byKey('GET', '/emailconfig')).json).toEqual({ ...shown, passwordSet: true });
  });

  test('sets nothing that accounts depend on, alone or beside another setting', async () => {
    for (const name of provenSettings)
      for (const body of [
        { [name]: defaultSettings[name] },
        { runsKept: 77, [name]: defaultSettings[name] },
      ])
        expect(await byKey('PUT', '/settings', body), name).toMatchObject(refused);
    expect((await byKey('GET', '/settings')).json['settings']).toEqual(defaultSettings);
    expect((await byKey('PUT', '/settings', { runsKept: 77 })).status).toBe(200);
  });

  test('gets a database dump, in which the hashes of all passwords are, by the scope backup alone', async () => {
    const keyOf = async (scopes: readonly ApiKeyScope[]) => {
      const body = { name: scopes.join(), scopes, expiresAt: service.now + minute };
      return String(
        (await service.ask('POST', '/me/apikeys', { token: operator, body })).json['key'],
      );
    };
    const job = {
      kind: 'database_dump',
      place: 'here',
      about: '',
      askedBy: 'Operator',
      fileName: 'dump.sql.gz',
      options: {},
    } as const;
    const { id } = await addJob(service.database, job, service.now);
    const asked = async (scopes: readonly ApiKeyScope[]) => {
      const token = await keyOf(scopes);
      const body = { kind: 'database_dump', options: {} };
      return [
        await service.ask('POST', '/downloads', { token, of, body }),
        await service.ask('POST', `/downloads/${id}/ticket`, { token, of }),
      ].map(({ json }) => json['code']);
    };
    for (const scopes of [
      ['manage'],
      ['backup'],
      apiKeyScopes.filter((scope) => scope !== 'backup'),
    ] as const)
      expect(await asked(scopes), scopes.join()).toEqual(['scope_missing', 'scope_missing']);
    // As far as it gets in this process, which makes no downloads.
    expect(await asked(['manage', 'backup'])).toEqual(['no_downloads', 'download_not_done']);
  });

  test('makes none of the calls about people, their sessions, keys, factors and the identity provider', () => {
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
