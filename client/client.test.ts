/** Tests the client against the real service on loopback. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import type { LicensedClient } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { day, withSignInApp } from '@patch/server/identity/sign-in/testing/sign-in-app.ts';
import {
  emptyRegistry,
  register,
} from '@patch/server/licensing/clients/testing/client-registry.ts';
import { describeWithDatabase } from '@patch/server/testing/databases.ts';
import { withdrawRecords, writeTitled } from '@patch/server/testing/record-factories.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callClient,
  readCopy,
  readCopyState,
  readLines,
  spawnClient,
} from './testing/called-client.ts';
import { type FaultyProxy, startFaultyProxy } from './testing/faulty-proxy.ts';

const almalinux = getList('almalinux_patch');
const debian = getList('debian_patch');

describeWithDatabase('the client', (open) => {
  const service = withSignInApp(open);
  const { now: start } = service;
  let proxy: FaultyProxy;
  let folder: string;
  let client: LicensedClient;
  beforeAll(async () => {
    proxy = await startFaultyProxy(await service.app.listen({ port: 0, host: '127.0.0.1' }));
  });
  afterAll(() => proxy.close());
  beforeEach(async () => {
    service.now = start;
    proxy.fault = () => null;
    proxy.requests.length = 0;
    folder = mkdtempSync(join(tmpdir(), 'patch-client-'));
    await emptyRegistry(service.database);
    client = await register(service);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const options = () => ['--server', proxy.url, '--folder', folder];
  const environment = () => ({ PATCH_ACTIVATION_CODE: client.activationCode });
  const begin = (...more: string[]) => spawnClient([...options(), ...more], environment());
  const call = (...more: string[]) => callClient([...options(), ...more], environment());
  const keys = (count: number, word = 'key') =>
    Array.from({ length: count }, (_, n) => `${word} ${n}`);
  const administer = async (what: string) =>
    service.ask('POST', `/windows/user/${client.id}/${what}`, {
      token: await service.createToken('operator'),
    });

  /** The copy must equal the list. */
  async function expectCopy(list = almalinux): Promise<void> {
    const { rows } = await service.database.query(
      `select id, title from ${list.key} where withdrawn_time is null order by id`,
    );
    const copy = [...readCopy(folder, list.key).values()].map(({ id, row }) => ({
      id,
      title: row['title'],
    }));
    expect(copy.toSorted((a, b) => a.id - b.id)).toEqual(rows);
    expect(readCopyState(folder, list.key).whole).toBe(true);
  }

  test.skipIf(process.platform === 'win32')(
    'the next run recovers from a page that was only partly written',
    async () => {
      await writeTitled(service.database, almalinux, keys(30), {
        binaryPkgName: ['x'.repeat(20_000)],
      });
      const full = await spawnClient(options(), environment(), 200).done;
      expect([full.exit, full.complaints]).toEqual([
        5,
        expect.stringContaining('The folder cannot be written: EFBIG'),
      ]);
      expect(existsSync(join(folder, 'almalinux_patch.state.json'))).toBe(false);
      expect(await call()).toMatchObject({ exit: 0 });
      await expectCopy();
    },
  );

  test('activates, fetches everything, then only changes, and shows up in the registry', async () => {
    const ids = await writeTitled(service.database, almalinux, keys(30));
    await writeTitled(service.database, debian, keys(3));
    const first = await call('--size', '12');
    expect(first).toMatchObject({ exit: 0, complaints: '' });
    expect(first.out).toContain(
      'Activated as North Hospital.\nalmalinux_patch: 30 records, 3 pages',
    );
    await expectCopy();
    await expectCopy(debian);
    expect(statSync(join(folder, 'client.json')).mode & 0o777).toBe(
      process.platform === 'win32' ? 0o666 : 0o600,
    );
    const { json } = await service.ask('GET', `/windows/user/${client.id}/licence`, {
      token: await service.createToken('operator'),
    });
    expect(json).toMatchObject({
      state: 'active',
      registeredOn: start,
      latestKbRequestOn: start,
      applicationVersion: '0.1.0',
      repoUpdatedOn: start,
    });

    await writeTitled(service.database, almalinux, ['key 4', 'new'], { severity: 'Critical' });
    await withdrawRecords(service.database, almalinux, [ids.get('key 7')]);
    const second = await call();
    expect(second.out).toMatch(
      /^almalinux_patch: 2 records, 1 withdrawn, 1 page, .* s\ndebian_patch: nothing new\n$/,
    );
    await expectCopy();
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(33);
    // The next request sends the ETag of the empty reply.
    expect((await call()).out).toBe('almalinux_patch: nothing new\ndebian_patch: nothing new\n');
    expect((await call()).out).toBe('almalinux_patch: nothing new\ndebian_patch: nothing new\n');
    await writeTitled(service.database, almalinux, ['newest']);
    expect((await call()).out).toContain('almalinux_patch: 1 records');
    await expectCopy();
  });

  test('resumes after being killed in the middle of a page', async () => {
    await writeTitled(service.database, almalinux, keys(50));
    let killed: ReturnType<typeof begin> | null = null;
    proxy.fault = (request) => {
      if (
        !request.includes('changes') ||
        proxy.requests.filter((one) => one.includes('changes')).length < 4
      )
        return null;
      killed?.kill('SIGKILL');
      return 'hold';
    };
    killed = begin('--size', '10');
    expect((await killed.done).exit).toBeNull();
    expect(existsSync(join(folder, 'almalinux_patch.jsonl'))).toBe(false);
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(30);
    // It had begun to write the page when it was killed.
    const part = join(folder, 'almalinux_patch.jsonl.part');
    writeFileSync(part, `${readFileSync(part, 'utf8')}{"id":`);
    proxy.fault = () => null;
    proxy.requests.length = 0;
    expect((await call('--size', '10', '--lists', 'almalinux_patch')).exit).toBe(0);
    expect(proxy.requests.filter((one) => one.includes('changes'))).toHaveLength(3);
    await expectCopy();
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(50);
  });

  test('stops on a signal and keeps its state', async () => {
    await writeTitled(service.database, almalinux, keys(20));
    let stopped: ReturnType<typeof begin> | null = null;
    proxy.fault = () => {
      if (proxy.requests.length < 4) return null;
      stopped?.kill('SIGTERM');
      return 'hold';
    };
    stopped = begin('--size', '5');
    expect(await stopped.done).toMatchObject({
      exit: 143,
      complaints: 'Interrupted. The next call goes on from here.\n',
    });
    proxy.fault = () => null;
    expect((await call()).exit).toBe(0);
    await expectCopy();
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(20);
  });

  test('completes despite broken connections, truncated replies and an outage', async () => {
    await writeTitled(service.database, almalinux, keys(400));
    const faults = ['drop', 503, null, 'cut', null, 429, 'cut', 500, null, 'drop'] as const;
    proxy.fault = (_, n) => faults[n % faults.length] ?? null;
    const { exit, complaints } = await call('--size', '100');
    expect([exit, complaints.match(/Trying again/g)?.length ?? 0]).toEqual([0, expect.any(Number)]);
    expect(complaints.match(/Trying again/g)?.length).toBeGreaterThan(5);
    await expectCopy();
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(400);
  });

  test('gives up when the service does not return', async () => {
    proxy.fault = () => 'drop';
    const { exit, complaints } = await call('--tries', '3');
    expect(exit).toBe(4);
    expect(complaints).toContain('Given up after 3 tries.');
    expect(proxy.requests).toHaveLength(3);
  });

  test('stops with a reason when revoked in the middle, and continues when restored', async () => {
    await writeTitled(service.database, almalinux, keys(30));
    let revoking: Promise<null> | null = null;
    proxy.fault = (request) =>
      request.includes('since=') ? (revoking ??= administer('revoke').then(() => null)) : null;
    const why =
      'North Hospital was revoked. Ask an administrator of the repository to restore it.\n';
    expect(await call('--size', '10')).toMatchObject({ exit: 3, complaints: why });
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(10);
    expect(await call()).toEqual({ exit: 3, out: '', complaints: why });
    await administer('restore');
    expect((await call()).exit).toBe(0);
    await expectCopy();
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(30);
  });

  test('reports an expired licence, a list that is not covered, and a replaced activation code', async () => {
    expect((await call()).exit).toBe(0);
    const foreign = await call('--lists', 'patch_repository,debian_patch');
    expect([foreign.exit, foreign.complaints]).toEqual([
      3,
      'The licence does not cover patch_repository. It covers: almalinux_patch, debian_patch, vulnerabilities.\n',
    ]);
    service.now += 400 * day;
    expect(await call()).toMatchObject({
      exit: 3,
      complaints: expect.stringContaining('ended on'),
    });
    service.now = start;
    const { json } = await administer('activation-code');
    expect(await call()).toMatchObject({
      exit: 3,
      complaints: expect.stringContaining('is not valid'),
    });
    const code = String(json['activationCode']).toLowerCase();
    const activated = await callClient([...options(), '--code', code]);
    expect(activated).toMatchObject({ exit: 0, out: expect.stringContaining('Activated as') });
  });

  test('ends with a copy that equals the list, even during concurrent writes', async () => {
    await writeTitled(service.database, almalinux, keys(60));
    const writers = [0, 1].map(async (writer) => {
      for (let round = 0; round < 30; round += 1) {
        const ids = await writeTitled(
          service.database,
          almalinux,
          keys(6, `w${writer} r${round % 7}`),
          { category: `round ${round}` },
        );
        if (round % 3 === 2)
          await withdrawRecords(service.database, almalinux, [...ids.values()].slice(0, 2));
      }
    });
    const during = [];
    for (let n = 0; n < 3; n += 1)
      during.push(await call('--size', '7', '--lists', 'almalinux_patch'));
    await Promise.all(writers);
    during.push(await call('--size', '7', '--lists', 'almalinux_patch'));
    expect(during.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
    await expectCopy();
  });

  test('fetches everything again from a restored repository, and keeps the old copy until the new one is complete', async () => {
    await writeTitled(service.database, almalinux, keys(20));
    await call();
    // Simulates a restored database: a dump has no epoch, so each restored database has a new one.
    await service.database.script(
      "update change_epoch set epoch = 'another'; delete from client_position",
    );
    proxy.requests.length = 0;
    proxy.fault = (request) =>
      request.includes('since=') && proxy.requests.length > 3 ? 'drop' : null;
    expect((await call('--size', '8', '--tries', '2', '--lists', 'almalinux_patch')).exit).toBe(4);
    expect(
      readFileSync(join(folder, 'almalinux_patch.jsonl'), 'utf8').trim().split('\n'),
    ).toHaveLength(20);
    proxy.fault = () => null;
    expect((await call()).exit).toBe(0);
    await expectCopy();
    const fresh = await call('--fresh', '--lists', 'almalinux_patch');
    expect(fresh.out).toContain('almalinux_patch: 20 records, 1 page');
    expect(readLines(folder, 'almalinux_patch')).toHaveLength(20);
  });

  test('fetches a file again after someone edited it', async () => {
    await writeTitled(service.database, almalinux, keys(20));
    await call();
    writeFileSync(join(folder, 'almalinux_patch.jsonl'), '');
    writeFileSync(join(folder, 'debian_patch.state.json'), '{}');
    expect((await call()).exit).toBe(0);
    await expectCopy();
    await expectCopy(debian);
  });

  test('locks its folder against a second client, and takes over the lock of a killed one', async () => {
    proxy.fault = () => 'hold';
    const one = begin();
    while (!existsSync(join(folder, 'client.lock')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await call()).toMatchObject({
      exit: 5,
      complaints: `${folder} is used by another client, process ${one.pid}.\n`,
    });
    one.kill('SIGKILL');
    await one.done;
    expect(existsSync(join(folder, 'client.lock'))).toBe(true);
    // Another process has its number by now.
    writeFileSync(join(folder, 'client.lock'), String(process.pid));
    proxy.fault = () => null;
    expect((await call()).exit).toBe(0);
    expect(existsSync(join(folder, 'client.lock'))).toBe(false);
  });
});
