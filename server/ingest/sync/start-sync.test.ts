import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SourceSettings } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NotificationListener } from '../../platform/database/notifications.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { readNewestRuns } from '../runs/run-history-store.ts';
import { activeRun, addRun, readRun } from '../runs/run-store.ts';
import { saveSettings, standardSettings } from '../sources/source-setting-store.ts';
import { type SlowMirror, startSlowMirror } from '../testing/slow-mirror.ts';
import { type StartSyncOptions, type Sync, startSync } from './start-sync.ts';

let folder: string;
let database: OpenDatabase;
let notifications: NotificationListener;
let mirror: SlowMirror;
let sync: Sync;
let logged: string[];

const log = {
  debug: () => undefined,
  info: (_: object, words: string) => void logged.push(words),
  warn: (about: object, words: string) =>
    void logged.push(`warn: ${words} ${JSON.stringify(about)}`),
  error: (about: { err?: { cause?: { code?: string } } }, words: string) =>
    void logged.push(`error: ${words} ${JSON.stringify(about)} ${about.err?.cause?.code ?? ''}`),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-sync-'));
  database = await openMigrated();
  // Practically disables polling, so that only notifications start runs.
  const times = { pollMs: 3_600_000, retryMs: { first: 10, most: 100 }, answerMs: 10_000 };
  notifications = new NotificationListener({ url: database.url, times });
  mirror = await startSlowMirror({
    one: [{ id: 'A', title: 'A' }],
    two: [{ id: 'B', title: 'B' }],
  });
});
afterAll(async () => {
  mirror.close();
  await notifications.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  logged = [];
});
afterEach(async () => {
  for (const table of [
    'almalinux_patch',
    'sync_run',
    'feed_part',
    'source_setting',
    'source_schedule',
  ])
    await database.query(`delete from ${table}`);
  const complaints = logged.filter((line) => /^(warn|error)/.test(line));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
});

async function begin(
  more: Partial<Pick<StartSyncOptions, 'heapLimit' | 'feedsModule' | 'idleMs'>> = {},
): Promise<void> {
  sync = await startSync({
    database,
    notifications,
    config: { dataDir: folder, databaseUrl: null, feedMirror: mirror.url, role: 'all' },
    log: log as never,
    feedsModule: new URL('../testing/small-feeds.ts', import.meta.url).href,
    ...more,
  });
}

async function until<T>(what: () => Promise<T | null | false>): Promise<T> {
  for (let tries = 0; tries < 1200; tries++) {
    const found = await what();
    if (found !== null && found !== false) return found;
    await pause(50);
  }
  throw new Error(`the expected state was not reached; logged: ${logged.join('\n')}`);
}

const ended = (id: number) =>
  until<Run>(async () => {
    const run = await readRun(database, id);
    return run !== null && run.endedAt !== null && run;
  });
const begun = (id: number) =>
  until<Run>(async () => {
    const run = await readRun(database, id);
    return run?.state === 'running' && run.stage !== null && run;
  });

describe('in a running thread', () => {
  beforeAll(() => begin());
  afterEach(() => mirror.release());
  afterAll(() => sync.stop());

  test('runs a requested run, and refuses a second one meanwhile', async () => {
    mirror.hold();
    const run = await sync.start('almaLinux', 'admin');
    expect(run).toMatchObject({ state: 'queued', startedBy: 'admin', source: 'almaLinux' });
    await expect(sync.start('almaLinux', 'other')).rejects.toThrow(
      /^A sync of AlmaLinux is running\. admin started it on \d\d? \w+ 20\d\d, \d\d:\d\d UTC\. Wait/,
    );
    const running = await begun(run.id);
    expect(running).toMatchObject({
      stage: { code: 'fetching', params: { part: 'one', partLabel: 'Small one' } },
      endedAt: null,
    });
    await expect(sync.start('almaLinux', 'other')).rejects.toMatchObject({
      code: 'sync_running',
    });
    mirror.release();
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', added: 2 });
    await expect(sync.cancel('almaLinux', 'admin')).rejects.toMatchObject({
      code: 'no_sync_running',
    });
    const again = await sync.start('almaLinux', 'admin');
    expect(await ended(again.id)).toMatchObject({
      state: 'succeeded',
      message: { code: 'synced', params: { unchangedDocuments: 2, recordsRead: null } },
    });
  });

  test('cancels a run at once, even while it waits for its vendor', async () => {
    mirror.hold();
    const run = await sync.start('almaLinux', 'admin');
    await begun(run.id);
    expect(await sync.cancel('almaLinux', 'admin')).toMatchObject({ id: run.id, state: 'running' });
    expect(await ended(run.id)).toMatchObject({
      state: 'cancelled',
      message: { code: 'cancelled', params: { by: 'admin' } },
    });
  });

  test('cancels a queued run before it begins', async () => {
    mirror.hold();
    // A worker runs two runs at once.
    const running = [
      await sync.start('almaLinux', 'admin'),
      await sync.start('rockyLinux', 'admin'),
    ];
    for (const { id } of running) await begun(id);
    const waiting = await sync.start('centOs', 'admin');
    expect(await sync.cancel('centOs', 'admin')).toMatchObject({
      id: waiting.id,
      state: 'cancelled',
    });
    mirror.release();
    for (const { id } of running) await ended(id);
    expect(await readRun(database, waiting.id)).toMatchObject({
      state: 'cancelled',
      message: { code: 'cancelled_before_start', params: { by: 'admin' } },
    });
  });

  test('fails the run of a source without a feed, and blocks nothing', async () => {
    const run = await sync.start('pardus', 'admin');
    expect(await ended(run.id)).toMatchObject({
      state: 'failed',
      message: { code: 'no_feed' },
    });
  });
});

describe('with a start of its own', () => {
  afterEach(async () => {
    mirror.release();
    await sync.stop();
  });

  test('marks the run as interrupted on stop, so that the next start finds nothing running', async () => {
    mirror.hold();
    await begin();
    const run = await sync.start('almaLinux', 'admin');
    await begun(run.id);
    await sync.stop();
    expect(await readRun(database, run.id)).toMatchObject({
      state: 'interrupted',
      message: { code: 'server_stopped' },
    });
    // Leaves a run that has not ended, as after a crash.
    await addRun(database, 'almaLinux', 'admin', Date.now());
    await begin();
    expect(await activeRun(database, 'almaLinux')).toBeNull();
    expect((await readNewestRuns(database)).get('almaLinux')).toMatchObject({
      state: 'interrupted',
    });
  });

  test('interrupts the run of a thread that dies, and restarts the thread', async () => {
    await begin();
    const deadly = await sync.start('mac', 'admin');
    expect(await ended(deadly.id)).toMatchObject({
      state: 'interrupted',
      message: { code: 'process_died' },
    });
    const run = await sync.start('almaLinux', 'admin');
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', added: 2 });
    expect(logged.splice(0).filter((line) => line.startsWith('error:'))).toEqual([
      expect.stringContaining('"restartsInMs":1000'),
    ]);
  });

  test('ends only the run that exhausts the memory of its thread', async () => {
    await begin({ heapLimit: 128 });
    const greedy = await sync.start('debian', 'admin');
    expect(await ended(greedy.id)).toMatchObject({ state: 'interrupted' });
    const run = await sync.start('almaLinux', 'admin');
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', added: 2 });
    expect(logged.splice(0).filter((line) => line.startsWith('error:'))).toEqual([
      expect.stringContaining('ERR_WORKER_OUT_OF_MEMORY'),
    ]);
  });

  test('does not start a disabled source', async () => {
    await saveSettings(
      database,
      'almaLinux',
      { ...standardSettings, leftOut: [], added: [], enabled: false },
      'Ada',
      Date.now(),
    );
    await begin();
    await expect(sync.start('almaLinux', 'admin')).rejects.toMatchObject({
      code: 'source_disabled',
      message: 'AlmaLinux is disabled (last set by Ada). Enable it in its settings first.',
    });
  });

  const ScheduleRow = z.object({ cron: z.string(), dueAt: z.number() });

  async function scheduleOfAlma(): Promise<z.infer<typeof ScheduleRow> | null> {
    const rows = await queryRows(
      database,
      ScheduleRow,
      `select cron, due_time as "dueAt" from source_schedule where source = 'almaLinux'`,
    );
    return rows[0] ?? null;
  }

  test('applies a changed schedule at once', async () => {
    const set = (settings: Partial<SourceSettings>) =>
      saveSettings(
        database,
        'almaLinux',
        { ...standardSettings, leftOut: [], added: [], ...settings },
        'admin',
        Date.now(),
      );
    const cron = async () => (await scheduleOfAlma())?.cron;
    const expectCron = (wanted: string | undefined) =>
      expect.poll(cron, { timeout: 20_000 }).toBe(wanted);
    await begin();
    await expectCron('15 */6 * * *');
    for (const schedule of ['5 4 * * *', null]) {
      await set({ schedule });
      await expectCron(schedule ?? '15 */6 * * *');
    }
    await set({ enabled: false });
    await expectCron(undefined);
    await set({});
    await expectCron('15 */6 * * *');
  });

  test('runs a source whose schedule came due while the service was stopped, once', async () => {
    await begin();
    await until(scheduleOfAlma);
    await sync.stop();
    const longAgo = Date.now() - 3 * 24 * 3_600_000;
    await database.query(`update source_schedule set due_time = $1 where source = 'almaLinux'`, [
      longAgo,
    ]);
    await begin();
    const run = await until(async () => (await readNewestRuns(database)).get('almaLinux') ?? null);
    expect(run.startedBy).toBe('schedule');
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', added: 2 });
    expect((await scheduleOfAlma())?.dueAt).toBeGreaterThan(Date.now());
    expect((await readNewestRuns(database)).get('almaLinux')?.id).toBe(run.id);
  });

  test('loses no run that is requested while the thread ends', async () => {
    await begin({ idleMs: 1 });
    for (let runs = 0; runs < 3; runs++) {
      const run = await sync.start('almaLinux', 'admin');
      expect(await ended(run.id)).toMatchObject({ state: 'succeeded' });
    }
  });

  test('keeps a run queued when the thread dies at its start, and tries again', async () => {
    await begin({ feedsModule: new URL('../testing/feeds-once-broken.ts', import.meta.url).href });
    const run = await sync.start('almaLinux', 'admin');
    await until(async () => logged.some((line) => line.startsWith('error:')));
    expect(await readRun(database, run.id)).toMatchObject({ state: 'queued' });
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', added: 2 });
    expect(logged.splice(0).filter((line) => line.startsWith('error:'))).toEqual([
      expect.stringContaining('"restartsInMs":1000'),
    ]);
  });
});
