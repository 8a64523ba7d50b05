/** Reads the registry as callers who must not see its activation codes: a Standard user, and programs with scopes other than `clients`. */
import { exportFormats } from '@patch/contract/export-endpoints.ts';
import type { LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { activate, emptyRegistry, register } from './testing/client-registry.ts';

const secrets = { contactEmail: 'it@north.example', notes: 'Ring twice at the side door.' };

describeWithDatabase('restricted fields of licensed clients', (open) => {
  const service = withSignInApp(open);
  let client: LicensedClient;
  let admin: string;
  let callers: Record<string, string>;

  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script('delete from saved_view; delete from api_key;');
    client = await register(service, secrets);
    await register(service, { clientName: 'South Hospital' });
    await activate(service, client);
    admin = await service.tokenOf('operator');
    const stan = await service.tokenOf('stan');
    callers = {
      stan,
      'a read key of a Standard user': await key(stan, ['read']),
      'a read key of an administrator': await key(admin, ['read']),
    };
  });

  async function key(token: string, scopes: readonly string[]): Promise<string> {
    const body = { name: scopes.join(' '), scopes, expiresAt: service.now + 3_600_000 };
    const { json } = await service.ask('POST', '/me/apikeys', { token, body });
    return String(json['key']);
  }

  const search = (token: string, body: object, query = '') =>
    service.ask('POST', `/windows/user/search${query}`, { token, body });

  function expectNothing(text: string, caller: string): void {
    const known = [
      client.activationCode,
      client.activationCode.slice(0, 11),
      ...Object.values(secrets),
      'repo-1',
    ];
    for (const secret of known)
      expect(text.toLowerCase(), caller).not.toContain(secret.toLowerCase());
  }

  const each = async (attack: (token: string, caller: string) => Promise<void>) => {
    for (const [caller, token] of Object.entries(callers)) await attack(token, caller);
  };

  test('are masked in rows and details', async () => {
    await each(async (token, caller) => {
      const rows = await search(token, {});
      expect(rows.json['objList'], caller).toMatchObject([
        { activationCode: '•••' },
        { activationCode: '•••' },
      ]);
      expectNothing(JSON.stringify(rows.json), caller);
      const detail = await service.ask('GET', `/windows/user/${client.id}`, { token });
      const masked = { activationCode: '•••', hostName: '•••', contactEmail: '•••', notes: '•••' };
      expect(detail.json, caller).toMatchObject({
        clientName: 'North Hospital',
        endPoints: 450,
        ...masked,
      });
      expectNothing(JSON.stringify(detail.json), caller);
    });
  });

  test.each(exportFormats)(
    'are masked in an export as %s, by which nothing is sorted',
    async (format) => {
      await each(async (token, caller) => {
        const columns = ['clientName', 'activationCode'];
        const ask = (sort: string, filter = '') =>
          service.ask('POST', '/export', {
            token,
            body: { list: 'floto_user', format, columns, sort, search: { filter } },
          });
        const ticket = await ask('clientName');
        expect(ticket.status, caller).toBe(201);
        const file = await service.app.inject({ url: `/api${String(ticket.json['path'])}` });
        expect(file.body).toContain('North Hospital');
        expect(file.body).toContain('•••');
        expectNothing(file.body, caller);
        expect(await ask('-activationCode'), caller).toMatchObject({
          status: 422,
          json: { code: 'restricted_field' },
        });
        expect(await ask('id', "lower(activationCode) like 'a%'"), caller).toMatchObject({
          status: 422,
          json: { code: 'restricted_field' },
        });
      });
    },
  );

  test.each([
    "lower(activationCode) = 'CODE'",
    "lower(activationCode) like 'PREFIX%'",
    "lower(activationCode) not like 'PREFIX%'",
    "lower(activationCode) in ('CODE')",
    'activationCode is not null',
    "lower(clientName) like '%' and lower(activationCode) like '%e%'",
  ])('are refused in the filter %s, with what is allowed', async (filter) => {
    const code = client.activationCode.toLowerCase();
    const asked = filter.replace('CODE', code).replace('PREFIX', code.slice(0, 2));
    await each(async (token, caller) => {
      const { status, json } = await search(token, { filter: asked });
      expect([status, json['code']], caller).toEqual([422, 'restricted_field']);
      expect(json['userMessage']).toMatch(
        /^Only administrators, .* scope clients, may filter or sort by 'activationCode'\. Fields that you may use: id, /,
      );
    });
    expect((await search(admin, { filter: asked })).status).toBe(200);
  });

  test('are refused in the order, as its first field and as a later one', async () => {
    await each(async (token, caller) => {
      for (const sort of ['activationCode', '-activationCode', 'clientName,activationCode']) {
        expect(await search(token, {}, `?sort=${sort}`), caller).toMatchObject({
          status: 422,
          json: { code: 'restricted_field' },
        });
      }
    });
  });

  test('are never found by a keyword, for any caller', async () => {
    const keywords = [
      client.activationCode,
      client.activationCode.slice(0, 5),
      'it@north',
      'repo-1',
      'side door',
      '•••',
    ];
    for (const token of [...Object.values(callers), admin]) {
      for (const keyword of keywords)
        expect((await search(token, { keyword })).json, keyword).toMatchObject({ totalCount: 0 });
      expect((await search(token, { keyword: 'north' })).json).toMatchObject({ totalCount: 1 });
    }
  });

  test('are not offered as tags', async () => {
    await each(async (token, caller) => {
      for (const tag of [client.activationCode.slice(0, 5), 'it@north', 'repo-1']) {
        const reply = await service.ask('GET', `/searchTags?tag=${encodeURIComponent(tag)}`, {
          token,
        });
        expect(reply.json, caller).toEqual([]);
      }
    });
  });

  test('are refused in saved views and alert previews; views of administrators that use them stay hidden', async () => {
    const stan = callers['stan'] ?? '';
    const criteria = `activationCode.start_with.${client.activationCode.slice(0, 5)}`;
    const view = (token: string, name: string, asked: object) =>
      service.ask('POST', '/views', {
        token,
        body: {
          list: 'floto_user',
          name,
          shared: true,
          isDefault: false,
          search: { criteria: '', keyword: '', sort: null, columns: null, ...asked },
        },
      });
    for (const asked of [{ criteria }, { sort: 'activationCode' }, { sort: '-activationCode' }]) {
      expect(await view(stan, 'Mine', asked)).toMatchObject({
        status: 422,
        json: { code: 'restricted_field' },
      });
    }
    const preview = (token: string) =>
      service.ask('POST', '/alerts/preview', {
        token,
        body: {
          list: 'floto_user',
          search: { criteria, keyword: '' },
          mode: 'digest',
          hour: 8,
          timeZone: 'UTC',
        },
      });
    expect(await preview(stan)).toMatchObject({ status: 422, json: { code: 'restricted_field' } });
    const seen = await preview(admin);
    expect(seen.status).toBe(200);
    expectNothing(JSON.stringify(seen.json), 'an administrator');

    const shared = await view(admin, 'Codes', { criteria });
    expect(shared.status).toBe(201);
    await view(admin, 'Names', { criteria: 'clientName.contains.north' });
    const listed = await service.ask('GET', '/views', { token: stan });
    expect(listed.json).toMatchObject({ totalCount: 1, objList: [{ name: 'Names' }] });
    const { id } = shared.json;
    const alert = {
      mode: 'digest',
      hour: 8,
      timeZone: 'UTC',
      ownAddress: true,
      furtherAddresses: [],
    };
    for (const [method, path, body] of [
      ['PUT', `/views/${String(id)}`, { isDefault: true }],
      ['PUT', `/views/${String(id)}/alert`, alert],
      ['DELETE', `/views/${String(id)}`, undefined],
    ] as const) {
      expect(
        (await service.ask(method, path, { token: stan, ...(body && { body }) })).status,
        path,
      ).toBe(404);
    }
    expect((await service.ask('GET', '/views', { token: admin })).json).toMatchObject({
      totalCount: 2,
    });
  });

  test('are in no entry of the audit log', async () => {
    await service.ask('PUT', `/windows/user/${client.id}/licence`, {
      token: admin,
      body: { notes: 'Ring thrice.' },
    });
    await service.ask('POST', `/windows/user/${client.id}/activation-code`, { token: admin });
    const rows = await queryRows(
      service.database,
      z.object({ text: z.string() }),
      'select row_to_json(audit_entry)::text as text from audit_entry',
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).toContain('change_licensed_client');
    expect(all).toContain('changedFields');
    expect(all).not.toContain('thrice');
    expectNothing(all, 'the audit log');
  });

  test('are not stored in plain text in any database column', async () => {
    const rows = await queryRows(
      service.database,
      z.object({ text: z.string() }),
      'select row_to_json(licensed_client)::text as text from licensed_client',
    );
    const all = rows
      .map(({ text }) => text)
      .join('\n')
      .toLowerCase();
    for (const part of client.activationCode.toLowerCase().split('-'))
      expect(all).not.toContain(part);
  });

  describe('for administrators, and for their keys with the scope clients', () => {
    test('stand in rows and details, and are filtered and sorted by', async () => {
      for (const token of [admin, await key(admin, ['read', 'clients'])]) {
        const { json } = await search(token, {}, '?sort=-activationCode');
        const codes = (json['objList'] as { activationCode: string }[]).map(
          ({ activationCode }) => activationCode,
        );
        expect(codes).toContain(client.activationCode);
        expect(codes).toEqual(codes.toSorted().toReversed());
        const filter = `lower(activationCode) like '%${client.activationCode.toLowerCase().slice(3)}'`;
        const own = await search(token, { filter });
        expect(own.json).toMatchObject({
          totalCount: 1,
          objList: [{ id: client.id, activationCode: client.activationCode }],
        });
        const detail = await service.ask('GET', `/windows/user/${client.id}`, { token });
        expect(detail.json).toMatchObject({
          activationCode: client.activationCode,
          hostName: 'repo-1',
          ...secrets,
        });
      }
    });

    test('are included in an export', async () => {
      const body = {
        list: 'floto_user',
        format: 'csv',
        columns: ['activationCode'],
        sort: 'activationCode',
        search: {},
      };
      const { json } = await service.ask('POST', '/export', { token: admin, body });
      const file = await service.app.inject({ url: `/api${String(json['path'])}` });
      expect(file.body).toContain(client.activationCode);
    });

    test('are hidden from a person who is no longer an administrator', async () => {
      const token = await key(admin, ['read', 'clients']);
      await service.database.script(
        "update users set user_type = 'Standard' where name = 'Operator'",
      );
      const { status, json } = await search(token, {});
      expect(status).toBe(200);
      expectNothing(JSON.stringify(json), 'demoted');
    });
  });
});
