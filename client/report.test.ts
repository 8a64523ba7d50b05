/** Tests the command that reports machines, called like from a scheduled task, against the real service on loopback. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LicensedClient } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { withSignInApp } from '@patch/server/identity/sign-in/testing/sign-in-app.ts';
import {
  emptyRegistry,
  register,
} from '@patch/server/licensing/clients/testing/client-registry.ts';
import { describeWithDatabase } from '@patch/server/testing/databases.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callClient } from './testing/called-client.ts';

const machine = (version: string) =>
  `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nbash-${version}.el8.x86_64\n`;

describeWithDatabase('report', (open) => {
  const service = withSignInApp(open);
  let root: string;
  let folder: string;
  let server: string;
  let client: LicensedClient;

  beforeAll(async () => {
    server = await service.app.listen({ port: 0, host: '127.0.0.1' });
    root = mkdtempSync(join(tmpdir(), 'report-'));
  });
  beforeEach(async () => {
    await emptyRegistry(service.database);
    folder = mkdtempSync(join(root, 'client-'));
    client = await register(service);
    const activated = await callClient(['--server', server, '--folder', folder], {
      PATCH_ACTIVATION_CODE: client.activationCode,
    });
    if (activated.exit !== 0) throw new Error(`Not activated: ${activated.complaints}`);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const allow = async (reportsMachines: boolean) => {
    const { status } = await service.ask('PUT', `/windows/user/${client.id}/licence`, {
      token: await service.createToken('operator'),
      body: { reportsMachines },
    });
    expect(status).toBe(200);
  };
  const inventories = (files: Readonly<Record<string, string | Buffer>>) => {
    const path = mkdtempSync(join(root, 'inventories-'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
    return path;
  };
  const report = (...args: string[]) =>
    callClient(['report', '--server', server, '--folder', folder, ...args]);
  const stored = async () => {
    const { rows } = await service.database.query('select name from machines order by name');
    return rows.map(({ name }) => name);
  };

  test('reports that an administrator has to allow it', async () => {
    await allow(false);
    const called = await report(inventories({ 'web-1.txt': machine('4.4.20-4') }));
    expect(called).toMatchObject({ exit: 3, out: '' });
    expect(called.complaints).toContain('An administrator can allow it');
  });

  test('reports the files of a folder, and repeatedly only changed ones', async () => {
    await allow(true);
    const writeFolder = (version: string) =>
      inventories({
        'web-1.txt': machine(version),
        'web-2.txt': Buffer.from(`\uFEFF${machine('4.4.20-4')}`, 'utf16le'),
        'readme.md': 'not a machine',
      });
    expect(await report(writeFolder('4.4.20-4'))).toMatchObject({
      exit: 0,
      out: '2 stored, 0 unchanged, 0 refused.\n',
      complaints: '',
    });
    expect(await stored()).toEqual(['web-1', 'web-2']);
    expect(await report(writeFolder('4.4.20-5'))).toMatchObject({
      exit: 0,
      out: '1 stored, 1 unchanged, 0 refused.\n',
    });
  });

  test('prints refused machines and reports the others', async () => {
    await allow(true);
    const path = inventories({ 'db-1.txt': machine('4.4.20-4'), 'noise.txt': 'lorem ipsum\n' });
    const called = await report(path);
    expect(called).toMatchObject({ exit: 12, out: '1 stored, 0 unchanged, 1 refused.\n' });
    expect(called.complaints).toMatch(/^noise: /);
    expect(await stored()).toContain('db-1');
  });

  test('sends more machines than fit into one request', async () => {
    await allow(true);
    const files = Object.fromEntries(
      Array.from({ length: 450 }, (_, n) => [`many-${n}.txt`, machine('4.4.20-4')]),
    );
    expect(await report(inventories(files))).toMatchObject({
      exit: 0,
      out: '450 stored, 0 unchanged, 0 refused.\n',
    });
  });

  test.each([
    ['two files of one machine', ['a.txt', 'a.json'], 'are of one machine, a'],
    ['no files', [], 'There are no .txt or .json files'],
  ])('refuses %s', async (_, names, words) => {
    const path = inventories(Object.fromEntries(names.map((name) => [name, machine('1')])));
    const called = await report(path);
    expect(called.exit).toBe(2);
    expect(called.complaints).toContain(words);
  });

  test('requests an activation if none exists', async () => {
    const other = join(root, 'other');
    mkdirSync(other);
    const called = await callClient(['report', '--server', server, '--folder', other, root]);
    expect(called.exit).toBe(2);
    expect(called.complaints).toContain('holds no activation');
  });
});
