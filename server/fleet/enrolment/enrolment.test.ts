/** Machines that report with an enrolment key in the complete service, and the scripts that the service hands out. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { collectorFiles } from '@patch/contract/fleet/machine-enrolment-endpoints.ts';
import { describe, expect, test } from 'vitest';
import { hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { send } from '../../testing/caller.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

const script = (file: string) => new URL(`collectors/${file}`, import.meta.url);

describeWithDatabase('machines with an enrolment key', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;

  const newKey = fleet.newKey.bind(fleet);
  const report = fleet.enrol.bind(fleet);

  test('lists a machine under the group of its key and judges it', async () => {
    const { by } = await newKey('Web servers');
    const { id } = (await report(by, 'a').json) as { id: number };
    await fleet.judge();
    expect((await fleet.search()).objList).toMatchObject([
      { id, name: 'host-a', client: 'Web servers', release: 'AlmaLinux 8.9', missing: 3 },
    ]);
    expect(await fleet.missing(id)).toMatchObject({ totalCount: 3 });
  });

  test('replaces a report of the same key, also with another enrolment key of the group', async () => {
    const first = await newKey('Web servers');
    const second = await newKey('web servers', 'Second');
    const { id } = await report(first.by, 'a').json;
    expect(await report(second.by, 'a', patched).json).toMatchObject({ id, state: 'stored' });
    expect((await fleet.search()).totalCount).toBe(1);
  });

  test('separates the machines of two groups', async () => {
    const ids = [await newKey('One'), await newKey('Two')].map(async ({ by }) => {
      const { id } = await report(by, 'a').json;
      return id;
    });
    expect(new Set(await Promise.all(ids)).size).toBe(2);
  });

  test('names two machines that report one key in turns', async () => {
    const { by } = await newKey('Clones');
    await report(by, 'a', old, 'first');
    await report(by, 'a', old, 'second');
    expect(await report(by, 'a', old, 'first').json).toMatchObject({
      namesOfKey: expect.arrayContaining(['first', 'second']),
    });
  });

  test('counts reports and machines of a key', async () => {
    const { by } = await newKey('Counted');
    for (const key of ['a', 'b', 'a']) await report(by, key);
    expect(await operator.get('/me/apikeys').list).toMatchObject([
      { lastUsedAt: service.now, enrolment: { group: 'Counted', reports: 3, machines: 2 } },
    ]);
  });

  test('refuses a revoked key at once and keeps its machines', async () => {
    const { id, by } = await newKey('Gone');
    await report(by, 'a');
    await operator.delete(`/me/apikeys/${id}`);
    expect(await report(by, 'a').outcome).toBe('401 unknown_api_key');
    await fleet.maintain();
    expect((await fleet.search()).totalCount).toBe(1);
  });

  test('writes no report to the audit log, only the key', async () => {
    const [{ last } = { last: 0 }] = await service.rows(
      'select max(id) as last from audit_entry',
      [],
    );
    const { by } = await newKey('Quiet');
    await report(by, 'a');
    const text = 'select action from audit_entry where id > $1 order by id';
    const actions = (await service.rows(text, [last])).map(({ action }) => action);
    expect(actions).toContain('create_api_key');
    expect(actions).not.toContain('report_machine');
  });

  test('lets a key of machines do nothing but report', async () => {
    const { by } = await newKey('Only');
    expect(await by.post('/machines/search', {}).outcome).toBe('403 scope_missing');
    expect(await by.get('/me').outcome).toBe('403 scope_missing');
    expect(await by.get('/me/apikeys').outcome).toBe('403 not_with_api_key');
  });

  test('says why a report cannot be read', async () => {
    const { by } = await newKey('Bad');
    expect(await report(by, 'a', 'no inventory').outcome).toBe('422 report_refused');
    expect(await report(by, 'a', '').outcome).toBe('422 invalid_input');
    expect(await by.post('/machines/report?key=a', { text: old }).outcome).toBe(
      '422 invalid_input',
    );
    expect(await report(operator, 'a').outcome).toBe('422 no_enrolment_key');
    expect(await report(stan, 'a').outcome).toBe('403 not_allowed');
    expect((await fleet.search()).totalCount).toBe(0);
  });

  test.each([
    ['no group', { scopes: ['report'] }, '422 invalid_input'],
    ['another scope', { scopes: ['report', 'read'], group: 'A' }, '422 invalid_input'],
    ['a group without the scope', { scopes: ['read'], group: 'A' }, '422 invalid_input'],
  ])('creates no enrolment key with %s', async (_, given, outcome) => {
    const body = { name: 'Key', expiresAt: service.now + hour, ...given };
    expect(await operator.post('/me/apikeys', body).outcome).toBe(outcome);
  });

  test('creates enrolment keys for administrators only', async () => {
    const body = { name: 'K', scopes: ['report'], group: 'A', expiresAt: service.now + hour };
    expect(await stan.post('/me/apikeys', body).outcome).toBe('422 scope_not_allowed');
  });

  test.each(collectorFiles)('serves %s to anybody', async (file) => {
    const { headers, bytes } = await send(service.app, 'GET', `/collectors/${file}`, {});
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(bytes.equals(await readFile(script(file)))).toBe(true);
  });
});

describe('collectors', () => {
  test.each(collectorFiles)('keeps %s under 150 lines', async (file) => {
    expect((await readFile(script(file), 'utf8')).split('\n').length).toBeLessThan(150);
  });

  /** Windows PowerShell reads a script without a byte order mark in the code page of the country. */
  test.each(collectorFiles)('has nothing but ASCII in %s', async (file) => {
    expect(await readFile(script(file), 'utf8')).toMatch(/^[\n -~]*$/);
  });

  test('prints an inventory of this machine that is read completely', async () => {
    const path = script('patch-report.sh').pathname;
    const { stdout } = await promisify(execFile)('sh', [path, 'print'], {
      maxBuffer: 16 * 1024 * 1024,
    });
    const { machine, unreadableLines } = readInventory(stdout);
    expect(unreadableLines).toBe(0);
    expect(machine.kernel).not.toBeNull();
    expect(machine.packages.length).toBeGreaterThan(50);
  });
});
