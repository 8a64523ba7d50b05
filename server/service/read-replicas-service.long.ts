/**
 * Two web processes on a primary with two streaming replicas: distribution of statements, visibility of writes, and a killed
 * replica.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getList } from '@patch/catalogue/lists.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { buildClient } from '../testing/factories.ts';
import { type Cluster, findBinaries, startCluster } from '../testing/postgres-cluster.ts';
import type { RunningServer } from '../testing/postgres-process.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { ask, RetryingLoad } from '../testing/retrying-load.ts';
import { ServiceProcess } from '../testing/service-process.ts';

const binaries = findBinaries();
const alma = getList('almalinux_patch');
const administrator = { username: 'admin', password: 'Correct-horse-7' };

/** The role has the rights that the manual gives it: it owns its database, and nothing else. */
const role = 'create role patches login nosuperuser nocreaterole nocreatedb';

const noSearch = { criteria: '', keyword: '', sort: null, columns: null };

describe.skipIf(binaries === null)('web processes with read replicas', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  const agent = new Agent({ keepAlive: true });
  const started: ServiceProcess[] = [];
  let cluster: Cluster;
  let primary: Database;
  let replicas: RunningServer[] = [];
  let [urlA, urlB] = ['', ''];
  let [token, clientToken] = ['', ''];

  beforeAll(async () => {
    cluster = await startCluster(binaries ?? '');
    const maintenance = serverDatabase({ url: cluster.url, connections: 1 });
    await maintenance.script(role);
    await maintenance.script('create database patches owner patches');
    await maintenance.close();
    replicas = [await cluster.addReplica(), await cluster.addReplica()];
    const replaceUser = ({ url }: { readonly url: string }) =>
      Object.assign(new URL(url), { username: 'patches', pathname: '/patches' }).href;
    primary = serverDatabase({ url: replaceUser(cluster), connections: 2 });
    for (const name of ['a', 'b'])
      started.push(
        new ServiceProcess(
          {
            ROLE: 'web',
            DATABASE_URL: replaceUser(cluster),
            DATABASE_READ_URLS: replicas.map(replaceUser).join(','),
            DATA_DIR: join(folder, name),
            ADMIN_EMAIL: 'admin@example.org',
            ADMIN_PASSWORD: administrator.password,
            SECRET_KEY: 'the same for all processes of this test',
          },
          folder,
        ),
      );
    [urlA = '', urlB = ''] = await Promise.all(started.map((service) => service.ready()));
    token = String((await call(urlA, 'POST', '/authenticate', administrator)).body['token']);
    await write(Array.from({ length: 3_000 }, (_, n) => `Erratum ${n}`));
    await waitForReplicas();
  });
  afterAll(async () => {
    for (const service of started) await service.kill();
    agent.destroy();
    await primary?.close();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(url: string, method: string, path: string, body?: object, as = token) {
    const headers = { authorization: `Apikey ${as}` };
    const answered = await ask(`${url}/api${path}`, {
      method,
      agent,
      headers,
      ...(body && { body }),
    });
    const text = answered.body;
    return {
      status: answered.status,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>,
    };
  }

  async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 15_000; !(await isTrue()); await pause(20))
      if (Date.now() > deadline) throw new Error('The condition did not become true');
  }

  /** Writes records as a sync does. */
  const write = (titles: readonly string[]) =>
    writeRecords(
      primary,
      alma,
      titles.map((title) => ({ key: title, row: { bulletinId: title, title, severity: 'Low' } })),
    );

  async function readReplicaCounts(url: string) {
    const { body } = await call(url, 'GET', '/health');
    return body['readReplicas'] as Readonly<
      Record<'named' | 'asked' | 'behind' | 'leftOut', number>
    >;
  }

  /** Waits until each process uses both replicas, which then have every change up to this call. */
  async function waitForReplicas(): Promise<void> {
    for (const url of [urlA, urlB]) {
      // A search makes the process read the newest change; otherwise it would compare with an older one.
      await search(url, 'Erratum 0');
      await waitFor(async () => (await readReplicaCounts(url)).asked === 2);
    }
  }

  /** Returns the number of catalogue statements that each server has answered for one process: the primary, then the replicas. */
  async function readShares(url: string): Promise<readonly number[]> {
    const metrics = await ask(`${url}/metrics`, { method: 'GET', agent, headers: {} });
    return Array.from(
      metrics.body.matchAll(/^patch_catalogue_statements_total\{server="[^"]+"\} (\d+)/gm),
      ([, count]) => Number(count),
    );
  }

  async function countSharesDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
    const sum = async () => {
      const [a, b] = [await readShares(urlA), await readShares(urlB)];
      return a.map((share, index) => share + (b[index] ?? 0));
    };
    const before = await sum();
    await work();
    return (await sum()).map((share, index) => share - (before[index] ?? 0));
  }

  const search = (url: string, title: string) =>
    call(url, 'POST', '/linux/almalinux/search?offset=0&size=5', {
      filter: `title = '${title}'`,
    });
  async function exported(url: string, title: string): Promise<string> {
    const ticket = await call(url, 'POST', '/export', {
      list: alma.key,
      format: 'csv',
      columns: ['title'],
      search: { filter: `title like '%${title}%'` },
    });
    return (await call(url, 'GET', String(ticket.body['path']))).text;
  }
  const changes = (url: string, since?: string) =>
    call(
      url,
      'GET',
      `/client/changes?list=${alma.key}&size=5000${since === undefined ? '' : `&since=${since}`}`,
      undefined,
      clientToken,
    );

  test('finds a client that was registered on one process at once on the other, and activates it', async () => {
    const entry = buildClient(Date.now(), { families: ['almaLinux'] });
    const { status, body } = await call(urlA, 'POST', '/windows/user', entry);
    expect(status).toBe(201);
    const found = await call(urlB, 'POST', '/windows/user/search?offset=0&size=5', {});
    expect(found.body).toMatchObject({ totalCount: 1 });
    const { activationCode } = body;
    const activated = await call(urlB, 'POST', '/client/activate', {
      activationCode,
      applicationVersion: '1.0',
      hostName: 'repo-1',
    });
    clientToken = String(activated.body['token']);
    expect((await changes(urlA)).body).toMatchObject({ more: false });
  });

  test('answers searches, details, exports and client pages from the replicas in equal shares', async () => {
    // The replicas may still lack the activation of the test before.
    await waitForReplicas();
    const shares = await countSharesDuring(async () => {
      for (let turn = 0; turn < 40; turn += 1) {
        const url = turn % 2 === 0 ? urlA : urlB;
        const { body } = await search(url, `Erratum ${turn}`);
        const [row] = body['objList'] as readonly { readonly id: number }[];
        expect((await call(url, 'GET', `/linux/almalinux/${row?.id}`)).body).toMatchObject({
          title: `Erratum ${turn}`,
        });
      }
      expect((await exported(urlB, 'Erratum')).split('\r\n').length).toBeGreaterThan(3_000);
      expect((await changes(urlB)).body['rows']).toHaveLength(3_000);
    });
    const [primaryShare = 0, first = 0, second = 0] = shares;
    expect(
      [first > 20, second > 20, Math.abs(first - second) < (first + second) / 4],
      shares.join(),
    ).toEqual([true, true, true]);
    expect(primaryShare, shares.join()).toBeLessThan((first + second) / 10);
  });

  test('shows every write at once in each process when the replicas are 30 seconds late', async () => {
    for (const { url } of replicas) {
      const server = serverDatabase({ url, connections: 1 });
      await server.script("alter system set recovery_min_apply_delay = '30s'");
      await server.script('select pg_reload_conf()');
      await server.close();
    }
    const cursor = String((await changes(urlA)).body['nextCursor']);
    const shares = await countSharesDuring(async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const title = `Written late ${turn}`;
        await write([title]);
        for (const url of [urlA, urlB]) {
          const { body } = await search(url, title);
          expect(body).toMatchObject({ totalCount: 1, objList: [{ title }] });
          const [row] = body['objList'] as readonly { readonly id: number }[];
          expect((await call(url, 'GET', `/linux/almalinux/${row?.id}`)).status).toBe(200);
          expect(await exported(url, title)).toContain(title);
          expect((await changes(url, cursor)).body['rows']).toHaveLength(turn + 1);
        }
        const view = {
          list: alma.key,
          name: title,
          shared: false,
          isDefault: false,
          search: noSearch,
        };
        expect((await call(urlA, 'POST', '/views', view)).status).toBe(201);
        expect((await call(urlB, 'GET', `/views?list=${alma.key}`)).text).toContain(title);
      }
    });
    expect(shares.slice(1), shares.join()).toEqual([0, 0]);
    expect(await readReplicaCounts(urlA)).toEqual({ named: 2, asked: 0, behind: 2, leftOut: 0 });
    for (const { url } of replicas) {
      const server = serverDatabase({ url, connections: 1 });
      await server.script('alter system reset recovery_min_apply_delay');
      await server.close();
    }
  });

  test('fails no request when a replica is killed, and uses it again when it is back', async () => {
    // The first restart applies the delayed changes.
    for (const replica of replicas) {
      await replica.goAway();
      await replica.comeBack();
    }
    await waitForReplicas();
    const path = '/api/linux/almalinux/search?offset=0&size=20';
    const load = new RetryingLoad(
      [urlA, urlB],
      { authorization: `Apikey ${token}` },
      Array.from({ length: 200 }, (_, n) => ({
        method: 'POST',
        path,
        body: { filter: `lower(title) like '%${n}%'` },
      })),
    );
    const [replica] = replicas;
    const shares = await countSharesDuring(async () => {
      await load.more(100);
      await replica?.goAway();
      await load.more(100);
      await waitFor(async () => (await readReplicaCounts(urlA)).leftOut === 1);
      await replica?.comeBack();
      await waitForReplicas();
      await load.more(100);
      await load.stop();
    });
    expect([load.lost, load.retried]).toEqual([[], 0]);
    expect(Math.min(...shares.slice(1)), shares.join()).toBeGreaterThan(20);
    expect(started.map(({ error }) => error)).toEqual(['', '']);
  });
});
