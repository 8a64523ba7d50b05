/** Two web processes on a primary with two streaming replicas: who answers, what people see of what was written, and a replica that is killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listOfKey } from '@patch/catalogue/lists.ts';
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
const alma = listOfKey('almalinux_patch');
const administrator = { username: 'admin', password: 'Correct-horse-7' };

/** What `patches` may do is what the manual gives it: it owns its database, and nothing else. */
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
    const addressOf = ({ url }: { readonly url: string }) =>
      Object.assign(new URL(url), { username: 'patches', pathname: '/patches' }).href;
    primary = serverDatabase({ url: addressOf(cluster), connections: 2 });
    for (const name of ['a', 'b'])
      started.push(
        new ServiceProcess(
          {
            ROLE: 'web',
            DATABASE_URL: addressOf(cluster),
            DATABASE_READ_URLS: replicas.map(addressOf).join(','),
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
    await allAsked();
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

  async function until(isTrue: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + 15_000; !(await isTrue()); await pause(20))
      if (Date.now() > deadline) throw new Error('It did not come true');
  }

  /** As a sync writes them. */
  const write = (titles: readonly string[]) =>
    writeRecords(
      primary,
      alma,
      titles.map((title) => ({ key: title, row: { bulletinId: title, title, severity: 'Low' } })),
    );

  async function replicasOf(url: string) {
    const { body } = await call(url, 'GET', '/health');
    return body['readReplicas'] as Readonly<
      Record<'named' | 'asked' | 'behind' | 'leftOut', number>
    >;
  }

  /** Each process asks both replicas, which have every change up to this call. */
  async function allAsked(): Promise<void> {
    for (const url of [urlA, urlB]) {
      // A search makes the process read the newest change; without one it would judge by what it read before.
      await search(url, 'Erratum 0');
      await until(async () => (await replicasOf(url)).asked === 2);
    }
  }

  /** Statements about the catalogue that each server has answered, of one process: the primary, then the replicas. */
  async function sharesOf(url: string): Promise<readonly number[]> {
    const metrics = await ask(`${url}/metrics`, { method: 'GET', agent, headers: {} });
    return Array.from(
      metrics.body.matchAll(/^patch_catalogue_statements_total\{server="[^"]+"\} (\d+)/gm),
      ([, count]) => Number(count),
    );
  }

  async function sharesDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
    const sum = async () => {
      const [a, b] = [await sharesOf(urlA), await sharesOf(urlB)];
      return a.map((share, place) => share + (b[place] ?? 0));
    };
    const before = await sum();
    await work();
    return (await sum()).map((share, place) => share - (before[place] ?? 0));
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

  test('a client that was registered on one is found on the other at once, and activates', async () => {
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

  test('searches, details, exports and client pages are answered by the replicas, in equal shares', async () => {
    // The activation before is a change that the replicas may still lack.
    await allAsked();
    const shares = await sharesDuring(async () => {
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
    const [ofPrimary = 0, one = 0, two = 0] = shares;
    expect([one > 20, two > 20, Math.abs(one - two) < (one + two) / 4], shares.join()).toEqual([
      true,
      true,
      true,
    ]);
    expect(ofPrimary, shares.join()).toBeLessThan((one + two) / 10);
  });

  test('with replicas that are 30 seconds late, each process sees at once what any has written', async () => {
    for (const { url } of replicas) {
      const server = serverDatabase({ url, connections: 1 });
      await server.script("alter system set recovery_min_apply_delay = '30s'");
      await server.script('select pg_reload_conf()');
      await server.close();
    }
    const cursor = String((await changes(urlA)).body['nextCursor']);
    const shares = await sharesDuring(async () => {
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
    expect(await replicasOf(urlA)).toEqual({ named: 2, asked: 0, behind: 2, leftOut: 0 });
    for (const { url } of replicas) {
      const server = serverDatabase({ url, connections: 1 });
      await server.script('alter system reset recovery_min_apply_delay');
      await server.close();
    }
  });

  test('a replica that is killed fails no request, and is asked again when it is back', async () => {
    // The first restart applies what the delay has kept back.
    for (const replica of replicas) {
      await replica.goAway();
      await replica.comeBack();
    }
    await allAsked();
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
    const shares = await sharesDuring(async () => {
      await load.more(100);
      await replica?.goAway();
      await load.more(100);
      await until(async () => (await replicasOf(urlA)).leftOut === 1);
      await replica?.comeBack();
      await allAsked();
      await load.more(100);
      await load.stop();
    });
    expect([load.lost, load.retried]).toEqual([[], 0]);
    expect(Math.min(...shares.slice(1)), shares.join()).toBeGreaterThan(20);
    expect(started.map(({ error }) => error)).toEqual(['', '']);
  });
});
