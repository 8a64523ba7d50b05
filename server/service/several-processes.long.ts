/** Web processes and workers as in an installation: real processes on one PostgreSQL server, killed, stopped and disconnected. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type SourceKey, sourceKeys } from '@patch/catalogue/sources.ts';
import { fetchAuditEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import { SourceSettingsReply } from '@patch/contract/sources/source-settings-endpoints.ts';
import { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { maxSilenceMs } from '../ingest/runs/run-store.ts';
import type { Database } from '../platform/database/database.ts';
import { NameRow, TotalRow } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { migrationsFolder } from '../platform/database/schema/migrate.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { addMail } from '../platform/mail/mail-outbox-store.ts';
import { type MailServer, startMailServer } from '../platform/mail/testing/mail-server.ts';
import { type EventListener, listenTo } from '../testing/event-listener.ts';
import { type FixtureVendors, startFixtureVendors } from '../testing/fixture-vendors.ts';
import { type Cluster, findBinaries, startCluster } from '../testing/postgres-cluster.ts';
import { ask, RetryingLoad } from '../testing/retrying-load.ts';
import { ServiceProcess } from '../testing/service-process.ts';

const binaries = findBinaries();
const errata = 'errata.almalinux.org/8/errata.full.json';
const erratum = {
  issued_date: 1938211200,
  updated_date: 1938297600,
  severity: 'Important',
  type: 'security',
  packages: [
    {
      name: 'lanternd',
      epoch: '2',
      version: '4.1',
      release: '7.el8',
      arch: 'x86_64',
      src: 'lanternd-4.1-7.el8.src.rpm',
      filename: 'lanternd-4.1-7.el8.x86_64.rpm',
      checksum: '2'.repeat(64),
      checksum_type: 'sha256',
      reboot_suggested: 0,
    },
  ],
};
const administrator = { username: 'admin', password: 'Correct-horse-7' };
const manyErrata = (many: number, words: string) =>
  JSON.stringify({
    schema_version: '1.0',
    data: Array.from({ length: many }, (_, n) => ({
      ...erratum,
      id: `ALSA-2031:${10_000 + n}`,
      title: `Record ${n} ${words}`,
      description: words,
    })),
  });

describe.skipIf(binaries === null)('several processes on one PostgreSQL server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'several-'));
  const agent = new Agent();
  const started: ServiceProcess[] = [];
  let cluster: Cluster;
  let databaseUrl: string;
  let database: Database;
  let vendors: FixtureVendors;
  let token = '';
  let [a, b]: [ServiceProcess, ServiceProcess] = [] as never;
  let [urlA, urlB] = ['', ''];
  let worker: ServiceProcess;

  function start(role: 'web' | 'worker'): ServiceProcess {
    const service = new ServiceProcess(
      {
        ROLE: role,
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, `${role}-${started.length}`),
        FEED_MIRROR: vendors.url,
        ADMIN_EMAIL: 'admin@example.org',
        ADMIN_PASSWORD: administrator.password,
        SECRET_KEY: 'the same for all processes of this test',
      },
      folder,
    );
    started.push(service);
    return service;
  }

  async function startedWorker(): Promise<ServiceProcess> {
    const service = start('worker');
    await service.ready();
    return service;
  }

  beforeAll(async () => {
    [cluster, vendors] = await Promise.all([
      startCluster(binaries ?? '', { max_connections: '150' }),
      startFixtureVendors(),
    ]);
    const maintenance = serverDatabase({ url: cluster.url, connections: 1 });
    await maintenance.script('create database patches');
    await maintenance.close();
    databaseUrl = cluster.url.replace(/postgres$/, 'patches');
    database = serverDatabase({ url: databaseUrl, connections: 2 });
    [a, b, worker] = [start('web'), start('web'), start('worker')];
    [urlA, urlB] = await Promise.all([a.ready(), b.ready(), worker.ready()]);
    token = await signIn(urlA);
  });
  afterEach(() => {
    vendors.resume();
  });
  afterAll(async () => {
    for (const service of started) await service.kill();
    await database.close();
    vendors.stop();
    await cluster.stop();
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
    return { status: answered.status, body: JSON.parse(answered.body) as unknown };
  }

  const signIn = async (url: string) =>
    z
      .object({ token: z.string() })
      .parse((await call(url, 'POST', '/authenticate', administrator)).body).token;
  const readSettings = async (url: string, source: SourceKey) =>
    SourceSettingsReply.parse(
      (await call(url, 'GET', `/patchsync/sources/${source}/settings`)).body,
    );
  const listen = (url: string): EventListener =>
    listenTo(`${url}/api/patchsync/events`, { authorization: `Apikey ${token}` });

  /** Waits until a value is found, for two minutes at most. */
  async function waitFor<T>(
    look: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  ): Promise<T> {
    for (const until = Date.now() + 120_000; Date.now() < until; await pause(50)) {
      const found = await look();
      if (found !== false && found !== null && found !== undefined) return found;
    }
    throw new Error(`Waited in vain: ${look.toString()}`);
  }

  const readRows = async (text: string, values: unknown[] = []) =>
    (await database.query(text, values)).rows;
  const count = async (table: string) =>
    (await queryRows(database, TotalRow, `select count(*) as total from ${table}`))[0]?.total ?? 0;
  const begin = async (url: string, source: SourceKey) =>
    Run.parse((await call(url, 'POST', `/linux/patchsync/manual?service=${source}`)).body).id;
  const runNow = async (url: string, id: number) => {
    const { body } = await call(url, 'GET', '/windows/fetchAudit/all?offset=0&size=100');
    return fetchAuditEndpoint.reply.parse(body).objList.find(({ run }) => run.id === id)?.run;
  };
  const ended = (url: string, id: number) =>
    waitFor(async () => {
      const run = await runNow(url, id);
      return run !== undefined && run.endedAt !== null && run;
    });

  const isScheduled = async (source: SourceKey, cron: string) =>
    (
      await readRows('select 1 from source_schedule where source = $1 and cron = $2', [
        source,
        cron,
      ])
    ).length === 1;

  test('starts three processes at once on an empty database, applies each migration once and introduces one administrator', async () => {
    const applied = await queryRows(database, NameRow, 'select name from migration order by name');
    expect(applied.map(({ name }) => name)).toEqual(
      readdirSync(migrationsFolder)
        .filter((name) => name.endsWith('.sql'))
        .toSorted(),
    );
    expect([a, b, worker].filter(({ out }) => out.includes('First administrator'))).toHaveLength(1);
    expect(await count('users')).toBe(1);
    expect([a, b, worker].map(({ error }) => error)).toEqual(['', '', '']);
  });

  test('shows a setting of one web process on the other, and the worker follows it', async () => {
    const { settings } = await readSettings(urlA, 'mac');
    const schedule = '7 3 * * *';
    expect(
      (await call(urlA, 'PUT', '/patchsync/sources/mac/settings', { ...settings, schedule }))
        .status,
    ).toBe(200);
    await waitFor(async () => (await readSettings(urlB, 'mac')).settings.schedule === schedule);
    await waitFor(() => isScheduled('mac', schedule));
  });

  test('signs a person out on both web processes', async () => {
    const secondToken = await signIn(urlA);
    const me = async (url: string) =>
      (await call(url, 'GET', '/me', undefined, secondToken)).status;
    expect([await me(urlA), await me(urlB)]).toEqual([200, 200]);
    expect((await call(urlA, 'POST', '/signout', undefined, secondToken)).status).toBe(200);
    expect(await me(urlA)).toBe(401);
    await waitFor(async () => (await me(urlB)) === 401);
  });

  test('runs a sync that one web process starts on the worker and reports it on the other', async () => {
    const events = listen(urlB);
    await waitFor(() => events.text().includes('event: sources'));
    const id = await begin(urlA, 'rockyLinux');
    await waitFor(() =>
      new RegExp(`event: source\\n.*"run":\\{"id":${id},[^}]*"state":"succeeded`).test(
        events.text(),
      ),
    );
    expect(
      worker.logged.filter(({ msg, source }) => msg === 'a sync began' && source === 'rockyLinux'),
    ).toHaveLength(1);
    events.leave();
  });

  test('interrupts the run of a killed worker, leaves complete rows, and completes a retry', async () => {
    const many = 4000;
    vendors.publish(errata, manyErrata(many, 'at first'));
    const id = await begin(urlA, 'almaLinux');
    await waitFor(async () => (await count('almalinux_patch')) > 0);
    await worker.kill();
    const written = await count('almalinux_patch');
    expect(written).toBeLessThan(many);
    await expectCompleteRows();
    expect((await runNow(urlB, id))?.state).toBe('running');
    // Moves the heartbeat back, as if that much time had passed; no worker is running.
    await database.query(`update sync_run set heartbeat_time = heartbeat_time - $2 where id = $1`, [
      id,
      maxSilenceMs,
    ]);
    expect(await ended(urlB, id)).toMatchObject({
      state: 'interrupted',
      stage: null,
      message: { code: 'process_died' },
    });

    worker = await startedWorker();
    const again = await ended(urlB, await begin(urlB, 'almaLinux'));
    expect(again).toMatchObject({
      state: expect.stringMatching('^succeeded'),
      unchanged: written,
      withdrawn: 0,
    });
    expect(await count(`almalinux_patch where title like 'Record % at first'`)).toBe(many);
    await expectCompleteRows();
  });

  async function expectCompleteRows(): Promise<void> {
    const parts = await readRows(`select id from almalinux_patch where detail is null`);
    expect(parts).toEqual([]);
    const [{ listed, rows } = { listed: -1, rows: -2 }] = await queryRows(
      database,
      z.object({ listed: z.number(), rows: z.number() }),

      `select listed, (select count(*) from almalinux_patch where withdrawn_time is null) as rows from list_revision where list = 'almalinux_patch'`,
    );
    expect(listed).toBe(rows);
  }

  test('interrupts the run of a stopped worker before it ends, and another worker completes it', async () => {
    vendors.publish(errata, manyErrata(4000, 'later'));
    vendors.pause();
    const id = await begin(urlA, 'oracleLinux');
    await waitFor(async () => (await runNow(urlA, id))?.state === 'running');
    expect(await worker.stop()).toBe(0);
    expect(await runNow(urlA, id)).toMatchObject({
      state: 'interrupted',
      message: { code: 'server_stopped' },
    });
    vendors.resume();
    worker = await startedWorker();
    expect(await ended(urlA, await begin(urlA, 'oracleLinux'))).toMatchObject({
      state: expect.stringMatching('^succeeded'),
    });
  });

  describe('two workers that start at once', () => {
    const subjects = Array.from({ length: 40 }, (_, n) => `Mail number ${n}.`);
    let second: ServiceProcess;
    let mails: MailServer;
    const findLogLines = (words: string) =>
      [worker, second].flatMap(({ logged }) => logged.filter(({ msg }) => msg.includes(words)));

    beforeAll(async () => {
      mails = await startMailServer();
      await postponeSchedules();
      await prepareSchedule();
      await worker.stop();
      await missSchedule();
      await prepareMails();
      [worker, second] = [start('worker'), start('worker')];
      await Promise.all([worker.ready(), second.ready()]);
    });
    afterAll(async () => {
      await second.stop();
      await mails.stop();
    });

    /** Moves all schedules half a year ahead, so that no other source is due in the minutes before now. */
    async function postponeSchedules(): Promise<void> {
      const month = ((new Date().getUTCMonth() + 6) % 12) + 1;
      const schedule = `0 0 1 ${month} *`;
      for (const source of sourceKeys) {
        const { settings } = await readSettings(urlA, source);
        await call(urlA, 'PUT', `/patchsync/sources/${source}/settings`, { ...settings, schedule });
      }
      await waitFor(() => isScheduled('opensuse', schedule));
    }

    async function prepareSchedule(): Promise<void> {
      const past = new Date(Date.now() - 5 * 60_000);
      const schedule = `${past.getUTCMinutes()} ${past.getUTCHours()} * * *`;
      const { settings } = await readSettings(urlA, 'centOs');
      await call(urlA, 'PUT', '/patchsync/sources/centOs/settings', { ...settings, schedule });
      await waitFor(() => isScheduled('centOs', schedule));
    }

    /** Moves the due time back, as if no worker had run for two days. */
    async function missSchedule(): Promise<void> {
      await database.query(`update source_schedule set due_time = $1 where source = 'centOs'`, [
        Date.now() - 2 * 24 * 3_600_000,
      ]);
    }

    async function prepareMails(): Promise<void> {
      const config = {
        server: '127.0.0.1',
        port: mails.port,
        protocol: 'smtp',
        securityType: 'none',
        email: 'patches@example.org',
      };
      const rest = { replyToEmail: '', toEmailId: '', senderName: '' };
      await call(urlA, 'POST', '/emailconfig', { ...config, ...rest });
      for (const subject of subjects)
        await addMail(
          database,
          { kind: 'Test', recipient: 'ada@example.org', subject, body: '-' },
          Date.now(),
        );
      await call(urlB, 'POST', '/user/forgotpassword', { email: 'admin@example.org' });
    }

    test('runs a schedule that came due while no worker ran once', async () => {
      const scheduled = () =>
        readRows(`select 1 from sync_run where source = 'centOs' and started_by = 'schedule'`);
      await waitFor(async () => (await scheduled()).length > 0);
      // No other schedule is due.
      await waitFor(
        async () =>
          (await readRows('select 1 from source_schedule where due_time <= $1', [Date.now()]))
            .length === 0,
      );
      expect(await scheduled()).toHaveLength(1);
    });

    test('runs each sync once', async () => {
      const sources = ['opensuse', 'mac', 'thirdParty', 'debian', 'rockyLinux', 'ubuntu'] as const;
      const ids = await Promise.all(
        sources.map((source, index) => begin([urlA, urlB][index % 2] ?? '', source)),
      );
      for (const id of ids) await ended(urlB, id);
      const begun = findLogLines('a sync began').map(({ run }) => run);
      for (const id of ids) expect(begun.filter((run) => run === id)).toHaveLength(1);
    });

    test('sends each mail once', async () => {
      await waitFor(
        async () => (await readRows(`select 1 from outbox where state <> 'sent'`)).length === 0,
      );
      expect(mails.taken).toHaveLength(subjects.length + 1);
      for (const subject of subjects)
        expect(mails.taken.filter(({ text }) => text.includes(`Subject: ${subject}`))).toHaveLength(
          1,
        );
      expect(findLogLines('sent an email')).toHaveLength(subjects.length + 1);
    });
  });

  test('answers 503 while the database is away, and continues without a dead process when it is back', async () => {
    vendors.publish(errata, manyErrata(4000, 'when the database went away'));
    const cut = await begin(urlA, 'almaLinux');
    await waitFor(async () => (await count(`almalinux_patch where title like '%went away'`)) > 0);
    const events = listen(urlA);
    await waitFor(() => events.text().includes('event: sources'));
    await cluster.goAway();
    const away = await call(urlA, 'POST', '/linux/almalinux/search', {});
    expect(away).toEqual({
      status: 503,
      body: expect.objectContaining({
        userMessage: expect.stringContaining('The database is not responding'),
        code: 'database_unavailable',
      }),
    });
    for (const url of [urlA, urlB]) {
      expect(await call(url, 'GET', '/health')).toMatchObject({
        status: 503,
        body: { code: 'not_ready' },
      });
      expect(await call(url, 'POST', '/authenticate', administrator)).toMatchObject({
        status: 503,
      });
    }
    // Long enough for every process to have looked for work in vain.
    await pause(3000);
    await cluster.comeBack();
    await waitFor(
      async () =>
        (await call(urlA, 'GET', '/health')).status === 200 &&
        (await call(urlB, 'GET', '/health')).status === 200,
    );
    expect((await call(urlA, 'POST', '/linux/almalinux/search', {})).status).toBe(200);
    expect(await ended(urlA, cut)).toMatchObject({
      state: 'failed',
      message: { code: 'failed', params: { cause: { code: 'database_lost' } } },
    });
    const id = await begin(urlB, 'almaLinux');
    expect(await ended(urlA, id)).toMatchObject({ state: expect.stringMatching('^succeeded') });
    await expectCompleteRows();
    await waitFor(() => events.text().includes(`"run":{"id":${id},`));
    events.leave();
    expect([a, b, worker].map(({ isRunning: lives }) => lives)).toEqual([true, true, true]);
    expect(
      [a, b, worker].flatMap(({ logged }) => logged.filter(({ level }) => level === 'fatal')),
    ).toEqual([]);
    expect(worker.logged.filter(({ msg }) => msg.includes('sync thread ended'))).toEqual([]);
  });

  describe('under load', () => {
    let load: RetryingLoad;

    beforeAll(() => {
      load = new RetryingLoad([urlA, urlB], { authorization: `Apikey ${token}` }, [
        {
          method: 'POST',
          path: '/api/linux/almalinux/search?size=50',
          body: { keyword: 'record' },
        },
        { method: 'GET', path: '/api/patchsync/sources' },
        {
          method: 'POST',
          path: '/api/linux/almalinux/search?size=10&sort=-releaseDate',
          body: { filter: "lower(title) like '%7%'" },
        },
        { method: 'GET', path: '/api/me' },
      ]);
    });
    afterAll(async () => {
      await load.stop();
    });

    test('loses no request when one web process is killed and clients retry on the other', async () => {
      await load.more(100);
      await a.kill();
      await load.more(100);
      expect(load.retried).toBeGreaterThan(0);
      a = start('web');
      urlA = await a.ready();
      load.targets = [urlA, urlB];
      await load.more(100);
      expect(load.lost).toEqual([]);
    });

    test('answers running requests, ends streams and idle connections, and exits with 0 when stopped', async () => {
      const lock = new Client({ connectionString: databaseUrl });
      await lock.connect();
      await lock.query('begin; lock table saved_view');
      const running = call(urlB, 'GET', '/views');
      await waitFor(
        async () => (await readRows('select 1 from pg_locks where not granted')).length > 0,
      );
      const events = listen(urlB);
      await waitFor(() => events.text().includes('event: sources'));
      const idle = connect(Number(new URL(urlB).port), '127.0.0.1');
      idle.write('GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await once(idle, 'data');
      const idleEnded = once(idle, 'close');

      const stopped = b.stop();
      await Promise.all([events.ended, idleEnded]);
      await waitFor(() =>
        call(urlB, 'GET', '/health').then(
          () => false,
          () => true,
        ),
      );
      expect(b.isRunning).toBe(true);
      await lock.query('commit');
      await lock.end();
      expect(await running).toMatchObject({ status: 200 });
      expect(await stopped).toBe(0);
      await load.more(100);
      expect(load.lost).toEqual([]);
    });
  });
});
