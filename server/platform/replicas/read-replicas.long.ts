import { setTimeout as pause } from 'node:timers/promises';
import { getList } from '@patch/catalogue/lists.ts';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Cluster, findBinaries, startCluster } from '../../testing/postgres-cluster.ts';
import type { RunningServer } from '../../testing/postgres-process.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { type Database, selectReader } from '../database/database.ts';
import { migrate } from '../database/schema/migrate.ts';
import { serverDatabase } from '../database/server-database.ts';
import { createLog } from '../logging/logging.ts';
import { type OpenReplicas, openReplicas } from './open-replicas.ts';

const binaries = findBinaries();
const alma = getList('almalinux_patch');
const times = {
  intervalMs: 50,
  minIntervalMs: 5,
  maxAgeMs: 3_000,
  retryMs: { first: 50, max: 200 },
};

describe.skipIf(binaries === null)('read replicas', () => {
  let cluster: Cluster;
  let primary: Database;
  let [near, far]: [RunningServer, RunningServer] = [] as never;
  const opened: OpenReplicas[] = [];
  let logged = '';
  let written = 0;

  beforeAll(async () => {
    cluster = await startCluster(binaries ?? '');
    primary = serverDatabase({ url: cluster.url });
    await migrate(primary);
    near = await cluster.addReplica();
    far = await cluster.addReplica({ max_standby_streaming_delay: '0' });
  });
  afterEach(async () => {
    for (const replicas of opened.splice(0)) await replicas.close();
    logged = '';
  });
  afterAll(async () => {
    await primary?.close();
    await cluster?.stop();
  });

  async function replicasAt(...urls: readonly string[]) {
    const log = createLog('info', { write: (line) => void (logged += line) });
    const replicas = await openReplicas({
      database: primary,
      config: { databaseUrl: cluster.url, databaseReadUrls: urls },
      log,
      times,
    });
    if (replicas === null) throw new Error('No replica is configured');
    opened.push(replicas);
    const { servers } = replicas;
    const figures = () => servers.figures();
    return {
      servers,
      figures,
      getState: (index: number) => figures().replicas[index]?.state,
      shares: () => [figures().answeredByPrimary, ...figures().replicas.map((one) => one.answered)],
      read: (text: string, ...values: readonly unknown[]) =>
        selectReader(servers, alma).query(text, values),
    };
  }

  /** Writes a new record and returns its title. */
  async function write(): Promise<string> {
    written += 1;
    const title = `Record ${written}`;
    await writeRecords(primary, alma, [
      { key: `a${written}`, row: { bulletinId: `ALSA-${written}`, title } },
    ]);
    return title;
  }

  async function waitUntil(condition: () => boolean): Promise<void> {
    for (const deadline = Date.now() + 5_000; !condition(); await pause(10))
      if (Date.now() > deadline) throw new Error(`It did not come true: ${logged}`);
  }

  const countByTitle = `select count(*)::int as total from ${alma.key} where title = $1`;

  test('share statements about the catalogue, but not about the service’s own lists', async () => {
    const { servers, shares, read, getState } = await replicasAt(near.url, far.url);
    await waitUntil(() => getState(0) === 'in_use' && getState(1) === 'in_use');
    for (let turn = 0; turn < 20; turn += 1) await read('select 1');
    expect(shares()).toEqual([0, 10, 10]);
    for (const key of ['floto_user', 'machines'] as const) {
      const { rows } = await selectReader(servers, alma, getList(key)).query(
        'select pg_is_in_recovery() as follows',
      );
      expect(rows).toEqual([{ follows: false }]);
    }
    await expect(servers.query('create temporary table t (n int)')).resolves.toBeDefined();
  });

  test('return every change committed before the statement', async () => {
    const { shares, read } = await replicasAt(near.url, far.url);
    for (let turn = 0; turn < 15; turn += 1) {
      const title = await write();
      for (let again = 0; again < 3; again += 1)
        expect((await read(countByTitle, title)).rows).toEqual([{ total: 1 }]);
      await pause(turn % 10);
    }
    expect(shares().reduce((sum, share) => sum + share, 0)).toBe(45);
  });

  test('are used again when they have caught up after a pause', async () => {
    const server = serverDatabase({ url: near.url, connections: 1 });
    const { shares, getState, read } = await replicasAt(near.url);
    await waitUntil(() => getState(0) === 'in_use');
    await server.query('select pg_wal_replay_pause()');
    const title = await write();
    expect((await read(countByTitle, title)).rows).toEqual([{ total: 1 }]);
    expect(shares()).toEqual([1, 0]);
    await server.query('select pg_wal_replay_resume()');
    await waitUntil(() => getState(0) === 'in_use');
    expect((await read(countByTitle, title)).rows).toEqual([{ total: 1 }]);
    expect(shares()).toEqual([1, 1]);
    await server.close();
  });

  test('fail no statement when killed, and are used again after a restart', async () => {
    const { shares, getState, read } = await replicasAt(near.url, far.url);
    const ended = new AbortController();
    const failed: unknown[] = [];
    let answered = 0;
    const asking = Array.from({ length: 8 }, async () => {
      while (!ended.signal.aborted) {
        await read('select count(*) from generate_series(1, 20000)').catch((error: unknown) =>
          failed.push(error),
        );
        answered += 1;
        await pause(1);
      }
    });
    try {
      await waitUntil(() =>
        shares()
          .slice(1)
          .every((share) => share > 20),
      );
      await near.goAway();
      await waitUntil(() => getState(0) === 'left_out');
      const then = answered;
      await waitUntil(() => answered > then + 50);
      await near.comeBack();
      await waitUntil(() => getState(0) === 'in_use');
      const [, before = 0] = shares();
      await waitUntil(() => (shares()[1] ?? 0) > before + 20);
    } finally {
      ended.abort();
      await Promise.all(asking);
    }
    expect(failed).toEqual([]);
    expect(logged).toMatch(/read replica \S+ is not used: it failed/);
  });

  test('have a cancelled or conflicting statement repeated on the primary', async () => {
    await primary.script('create table gone (n int); insert into gone values (1)');
    const { shares, figures, getState, read } = await replicasAt(far.url);
    // Recovery must be able to cancel the statement: it holds the table while the primary drops it.
    await waitUntil(() => getState(0) === 'in_use');
    await pause(400);
    const server = serverDatabase({ url: far.url, connections: 1 });
    const long = read(
      'select count(*)::int as total from gone, pg_sleep(case when pg_is_in_recovery() then 5 else 0 end)',
    );
    await pause(200);
    await primary.script('alter table gone add column m int');
    expect((await long).rows).toEqual([{ total: 1 }]);
    const cancelled = read(
      'select 2 as two from pg_sleep(case when pg_is_in_recovery() then 5 else 0 end)',
    );
    await pause(200);
    await server.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where query like 'select 2 as two%'",
    );
    expect((await cancelled).rows).toEqual([{ two: 2 }]);
    expect([shares()[0], figures().repeated]).toEqual([2, 2]);
    // The replica stays in use.
    expect(figures().replicas[0]?.fault).toBeNull();
    await expect(read('select no_such_column')).rejects.toMatchObject({ code: '42703' });
    await server.close();
  });

  test('refuse writes, which the primary then executes', async () => {
    const { shares, figures, getState, read } = await replicasAt(near.url);
    await waitUntil(() => getState(0) === 'in_use');
    await read('create table written_by_mistake (n int)');
    expect([shares(), figures().repeated]).toEqual([[1, 0], 1]);
  });

  test('are left out when invalid, with a reason in the log that contains no password', async () => {
    const foreign = inject('cluster').url;
    await primary.script('create database another');
    const here = (url: string, change: Partial<URL>) => Object.assign(new URL(url), change).href;
    const { figures, shares, read } = await replicasAt(
      here(cluster.url, { password: 'hidden-word' }),
      foreign,
      here(near.url, { pathname: '/another' }),
      'postgres://postgres:hidden-word@127.0.0.1:1/nothing',
    );
    await read('select 1');
    expect(shares()).toEqual([1, 0, 0, 0, 0]);
    const faults = figures().replicas.map(({ fault }) => fault);
    expect(faults).toEqual([
      expect.stringContaining('follows no primary'),
      expect.stringMatching(/system identifier differs|has no tables of this service/),
      expect.stringMatching(/has no tables of this service|does not exist/),
      expect.stringContaining('cannot be reached'),
    ]);
    expect(logged).not.toContain('hidden-word');
  });

  test('are used until the next write when they lag by 30 seconds', async () => {
    const server = serverDatabase({ url: far.url, connections: 1 });
    const { shares, getState, figures, read } = await replicasAt(far.url);
    await waitUntil(() => getState(0) === 'in_use');
    await server.script("alter system set recovery_min_apply_delay = '30s'");
    await server.script('select pg_reload_conf()');
    await read('select 1');
    expect(shares()).toEqual([0, 1]);
    const title = await write();
    expect((await read(countByTitle, title)).rows).toEqual([{ total: 1 }]);
    expect(shares()).toEqual([1, 1]);
    await waitUntil(() => getState(0) === 'behind');
    expect(figures().replicas[0]?.behindBytes).toBeGreaterThan(0);
    await pause(300);
    expect(figures().replicas[0]?.lateMs).toBeGreaterThanOrEqual(300);
    await server.close();
  });
});
