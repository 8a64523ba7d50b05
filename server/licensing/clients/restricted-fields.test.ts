/** Reads the registry as callers who must not see its activation codes: a Standard user, and programs with scopes other than `clients`. */

import type { LicensedClient } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { exportFormats } from '@patch/contract/records/export-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import type { Caller } from '../../testing/caller.ts';
import { buildUser } from '../../testing/factories.ts';
import { activate, emptyRegistry, register } from './testing/client-registry.ts';

const secrets = { contactEmail: 'it@north.example', notes: 'Ring twice at the side door.' };
const refused = '422 restricted_field';

describeApp('restricted fields of licensed clients', (service) => {
  const { operator, stan } = service;
  let client: LicensedClient;
  let code: string;
  let callers: Readonly<Record<string, Caller>>;

  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script('delete from saved_view; delete from api_key;');
    client = await register(service, secrets);
    code = client.activationCode.toLowerCase();
    await register(service, { clientName: 'South Hospital' });
    await activate(service, client);
    callers = {
      stan,
      'a read key of a Standard user': service.as(await service.createKey(stan, 'read')),
      'a read key of an administrator': service.as(await service.createKey(operator, 'read')),
    };
  });

  const search = (by: Caller, body: object, query = '') =>
    by.post(`/windows/user/search${query}`, body);
  const found = async (by: Caller, body: object) => (await search(by, body).json)['totalCount'];
  const record = (by: Caller) => by.get(`/windows/user/${client.id}`).json;
  const createExport = (by: Caller, format: string, more: object) =>
    by.post('/export', {
      list: 'floto_user',
      format,
      columns: ['clientName', 'activationCode'],
      sort: 'clientName',
      search: {},
      ...more,
    });
  const downloadFile = async ({ path }: Record<string, unknown>) =>
    (await service.anyone.get(String(path))).bytes.toString();

  function expectNothing(content: unknown, caller: string): void {
    const text = JSON.stringify(content).toLowerCase();
    for (const secret of [code, code.slice(0, 11), ...Object.values(secrets), 'repo-1'])
      expect(text, caller).not.toContain(secret.toLowerCase());
  }
  const each = async (attack: (by: Caller, caller: string) => Promise<void>) => {
    for (const [caller, by] of Object.entries(callers)) await attack(by, caller);
  };

  test('masks them in rows and details', async () => {
    await each(async (by, caller) => {
      const rows = await search(by, {}).list;
      expect(
        rows.map(({ activationCode }) => activationCode),
        caller,
      ).toEqual(['•••', '•••']);
      const detail = await record(by);
      const masked = { activationCode: '•••', hostName: '•••', contactEmail: '•••', notes: '•••' };
      const shown = { clientName: 'North Hospital', endPoints: 450 };
      expect(detail, caller).toMatchObject({ ...shown, ...masked });
      expectNothing([rows, detail], caller);
    });
  });

  test.each(exportFormats)('masks them in an export as %s', async (format) => {
    await each(async (by, caller) => {
      const file = await downloadFile(await createExport(by, format, {}).json);
      expect(file).toContain('North Hospital');
      expect(file).toContain('•••');
      expectNothing(file, caller);
      const filter = "lower(activationCode) like 'a%'";
      const more = { sort: 'id', search: { filter } };
      expect(await createExport(by, format, more).outcome, caller).toBe(refused);
    });
  });

  test('exports none to an administrator who is one no longer', async () => {
    await buildUser(service.database, { name: 'Deputy', userType: 'Admin' });
    const deputy = service.as(await service.createToken('Deputy'));
    const ticket = async () => (await createExport(deputy, 'csv', {}).json) as { path: string };
    expect((await downloadFile(await ticket())).toLowerCase()).toContain(code);
    const { path } = await ticket();
    await service.database.query("update users set user_type = 'Standard' where name = 'Deputy'");
    expect(await service.anyone.get(path).outcome).toBe('404 no_such_export');
    // A session knows the new type within five seconds.
    service.now += 6_000;
    const again = await ticket();
    expect(await downloadFile(again)).toContain('•••');
    const last = await ticket();
    await service.database.query("delete from users where name = 'Deputy'");
    expect(await service.anyone.get(last.path).outcome).toBe('404 no_such_export');
  });

  test.each([
    "lower(activationCode) = 'CODE'",
    "lower(activationCode) like 'PREFIX%'",
    "lower(activationCode) not like 'PREFIX%'",
    "lower(activationCode) in ('CODE')",
    'activationCode is not null',
    "lower(clientName) like '%' and lower(activationCode) like '%e%'",
  ])('refuses them in the filter %s and lists what is allowed', async (pattern) => {
    const filter = pattern.replace('CODE', code).replace('PREFIX', code.slice(0, 2));
    await each(async (by, caller) => {
      const { json } = await search(by, { filter });
      expect(json['code'], caller).toBe('restricted_field');
      expect(json['userMessage']).toMatch(
        /^Only administrators, .* scope clients, may filter or sort by 'activationCode'\. Fields that you may use: id, /,
      );
    });
    expect(await search(operator, { filter }).status).toBe(200);
  });

  test('refuses them in the order, as the first and as a later field, for any caller', async () => {
    for (const by of [...Object.values(callers), operator])
      for (const sort of ['activationCode', '-activationCode', 'clientName,activationCode'])
        expect(await search(by, {}, `?sort=${sort}`).json).toMatchObject({
          code: 'unknown_sort',
          userMessage: expect.stringMatching(
            /^Cannot sort by 'activationCode'\. Sortable fields: id, /,
          ),
        });
  });

  test('finds nothing by a keyword, for any caller', async () => {
    const keywords = [code, code.slice(0, 5), 'it@north', 'repo-1', 'side door', '•••'];
    for (const by of [...Object.values(callers), operator]) {
      for (const keyword of keywords) expect(await found(by, { keyword }), keyword).toBe(0);
      expect(await found(by, { keyword: 'north' })).toBe(1);
    }
  });

  test('offers none as tags', async () => {
    await each(async (by, caller) => {
      for (const tag of [code.slice(0, 5), 'it@north', 'repo-1']) {
        const path = `/searchTags?tag=${encodeURIComponent(tag)}`;
        expect(await by.get(path).json, caller).toEqual([]);
      }
    });
  });

  test('refuses them in saved views and alert previews, and hides views of administrators that use them', async () => {
    const criteria = `activationCode.start_with.${client.activationCode.slice(0, 5)}`;
    const view = (by: Caller, name: string, more: object) =>
      by.post('/views', {
        list: 'floto_user',
        name,
        shared: true,
        isDefault: false,
        search: { criteria: '', keyword: '', sort: null, columns: null, ...more },
      });
    expect(await view(stan, 'Mine', { criteria }).outcome).toBe(refused);
    const digest = { mode: 'digest', hour: 8, timeZone: 'UTC' };
    const preview = { list: 'floto_user', search: { criteria, keyword: '' }, ...digest };
    expect(await stan.post('/alerts/preview', preview).outcome).toBe(refused);
    const seen = await operator.post('/alerts/preview', preview);
    expect(seen.status).toBe(200);
    expectNothing(seen.json, 'an administrator');

    const { status, json } = await view(operator, 'Codes', { criteria });
    expect(status).toBe(201);
    await view(operator, 'Names', { criteria: 'clientName.contains.north' });
    expect((await stan.get('/views').list).map(({ name }) => name)).toEqual(['Names']);
    const path = `/views/${String(json['id'])}`;
    const alert = { ...digest, ownAddress: true, furtherAddresses: [] };
    expect(await stan.put(path, { isDefault: true }).status).toBe(404);
    expect(await stan.put(`${path}/alert`, alert).status).toBe(404);
    expect(await stan.delete(path).status).toBe(404);
    expect(await operator.get('/views').list).toHaveLength(2);
  });

  test('writes none to the audit log', async () => {
    await operator.put(`/windows/user/${client.id}/licence`, { notes: 'Ring thrice.' });
    await operator.post(`/windows/user/${client.id}/activation-code`);
    const criteria = `activationCode.contains.${code.slice(0, 11)}`;
    const view = { list: 'floto_user', name: 'Codes', shared: true, isDefault: false };
    const body = { ...view, search: { criteria, keyword: '', sort: null, columns: null } };
    expect(await operator.post('/views', body).status).toBe(201);
    const entries = JSON.stringify(await service.rows('select * from audit_entry'));
    for (const action of [
      'create_licensed_client',
      'activate_client',
      'change_licensed_client',
      'changedFields',
      'licensed client North Hospital',
      'view Codes of Operator',
    ])
      expect(entries).toContain(action);
    expect(entries).not.toContain('thrice');
    expect(entries).not.toContain('prc_');
    expectNothing(entries, 'the audit log');
  });

  test('stores none in plain text in any database column', async () => {
    const stored = JSON.stringify(await service.rows('select * from licensed_client'));
    for (const part of code.split('-')) expect(stored.toLowerCase()).not.toContain(part);
  });

  describe('for administrators and their keys with the scope clients', () => {
    const key = async () => service.as(await service.createKey(operator, 'read', 'clients'));

    test('shows and filters them in rows and details', async () => {
      for (const by of [operator, await key()]) {
        const codes = (await search(by, {}).list).map(({ activationCode }) => activationCode);
        expect(codes).toContain(client.activationCode);
        const filter = `lower(activationCode) like '%${code.slice(3)}'`;
        const { id, activationCode } = client;
        expect(await search(by, { filter }).list).toMatchObject([{ id, activationCode }]);
        const shown = { activationCode, hostName: 'repo-1', ...secrets };
        expect(await record(by)).toMatchObject(shown);
      }
    });

    test('includes them in an export', async () => {
      const { json } = await createExport(operator, 'csv', {});
      expect(await downloadFile(json)).toContain(client.activationCode);
    });

    test('hides them from a person who has lost the administrator role', async () => {
      const by = await key();
      await service.database.script(
        "update users set user_type = 'Standard' where name = 'Operator'",
      );
      const { status, json } = await search(by, {});
      expect(status).toBe(200);
      expectNothing(json, 'demoted');
    });
  });
});
