import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SourceSettings } from '@patch/contract/source-settings-endpoints.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { openMigrated } from '../../testing/databases.ts';
import { newestRuns } from './run-history-store.ts';
import { activeRun, addRun, runOfId } from './run-store.ts';
import { saveSettings, standardSettings } from './source-setting-store.ts';
import { type Sync, startSync } from './start-sync.ts';
import { type SlowMirror, startSlowMirror } from './testing/slow-mirror.ts';

let folder: string;
let database: OpenDatabase;
let mirror: SlowMirror;
let sync: Sync;
let logged: string[];

const log = {
  info: (_: object, words: string) => void logged.push(words),
  warn: (about: object, words: string) =>
    void logged.push(`warn: ${words} ${JSON.stringify(about)}`),
  error: (about: { err?: { cause?: { code?: string } } }, words: string) =>
    void logged.push(`error: ${words} ${JSON.stringify(about)} ${about.err?.cause?.code ?? ''}`),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-sync-'));
  database = await openMigrated();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  logged = [];
  mirror = await startSlowMirror({
    one: [{ id: 'A', title: 'A' }],
    two: [{ id: 'B', title: 'B' }],
  });
});
afterEach(async () => {
  mirror.release();
  await sync.stop();
  mirror.close();
  for (const table of ['almalinux_patch', 'sync_run', 'feed_part', 'source_setting'])
    await database.query(`delete from ${table}`);
  const complaints = logged.filter((line) => /^(warn|error)/.test(line));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
});

async function begin(heapLimit?: number): Promise<void> {
  sync = await startSync({
    database,
    config: { dataDir: folder, databaseUrl: null, feedMirror: mirror.url, role: 'all' },
    log: log as never,
    feedsModule: new URL('./testing/small-feeds.ts', import.meta.url).href,
    ...(heapLimit !== undefined && { heapLimit }),
  });
}

async function until<T>(what: () => Promise<T | null | false>): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await what();
    if (found !== null && found !== false) return found;
    await pause(50);
  }
  throw new Error(`did not come to be; logged: ${logged.join('\n')}`);
}

const ended = (id: number) =>
  until<Run>(async () => {
    const run = await runOfId(database, id);
    return run !== null && run.endedAt !== null && run;
  });
const begun = (id: number) =>
  until<Run>(async () => {
    const run = await runOfId(database, id);
    return run?.state === 'running' && run.stage !== null && run;
  });

test('a run that is asked for runs soon, and a second one is refused while it does', async () => {
  mirror.hold();
  await begin();
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
  await begin();
  const run = await sync.start('almaLinux', 'admin');
  await begun(run.id);
  const since = Date.now();
  expect(await sync.cancel('almaLinux', 'admin')).toMatchObject({ id: run.id, state: 'running' });
  expect(await ended(run.id)).toMatchObject({
    state: 'cancelled',
    message: { code: 'cancelled', params: { by: 'admin' } },
  });
  expect(Date.now() - since).toBeLessThan(2000);
});

test('cancels a queued run before it begins', async () => {
  mirror.hold();
  await begin();
  // A worker runs two at once.
  const running = [await sync.start('almaLinux', 'admin'), await sync.start('rockyLinux', 'admin')];
  for (const { id } of running) await begun(id);
  const waiting = await sync.start('centOs', 'admin');
  expect(await sync.cancel('centOs', 'admin')).toMatchObject({
    id: waiting.id,
    state: 'cancelled',
  });
  mirror.release();
  for (const { id } of running) await ended(id);
  expect(await runOfId(database, waiting.id)).toMatchObject({
    state: 'cancelled',
    message: { code: 'cancelled_before_start', params: { by: 'admin' } },
  });
});

test('marks the run as interrupted on stop, so that the next start finds nothing running', async () => {
  mirror.hold();
  await begin();
  const run = await sync.start('almaLinux', 'admin');
  await begun(run.id);
  await sync.stop();
  expect(await runOfId(database, run.id)).toMatchObject({
    state: 'interrupted',
    message: { code: 'server_stopped' },
  });
  // As after a crash: a run that was never ended.
  await addRun(database, 'almaLinux', 'admin', Date.now());
  await begin();
  expect(await activeRun(database, 'almaLinux')).toBeNull();
  expect((await newestRuns(database)).get('almaLinux')).toMatchObject({ state: 'interrupted' });
});

test('a thread that dies leaves its run interrupted, and is started again', async () => {
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
  await begin(256);
  const greedy = await sync.start('debian', 'admin');
  expect(await ended(greedy.id)).toMatchObject({ state: 'interrupted' });
  const run = await sync.start('almaLinux', 'admin');
  expect(await ended(run.id)).toMatchObject({ state: 'succeeded', added: 2 });
  expect(logged.splice(0).filter((line) => line.startsWith('error:'))).toEqual([
    expect.stringContaining('ERR_WORKER_OUT_OF_MEMORY'),
  ]);
});

test('starts a run requested at the end of another without waiting for the next poll', async () => {
  await begin();
  const since = Date.now();
  for (let runs = 0; runs < 5; runs++) await ended((await sync.start('almaLinux', 'admin')).id);
  expect(Date.now() - since).toBeLessThan(15_000);
});

test('fails the run of a source without a feed, and blocks nothing', async () => {
  await begin();
  const run = await sync.start('pardus', 'admin');
  expect(await ended(run.id)).toMatchObject({
    state: 'failed',
    message: { code: 'no_feed' },
  });
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

test('applies a changed schedule at once', async () => {
  const set = (settings: Partial<SourceSettings>) =>
    saveSettings(
      database,
      'almaLinux',
      { ...standardSettings, leftOut: [], added: [], ...settings },
      'admin',
      Date.now(),
    );
  const cronIs = (wanted: string | undefined) =>
    until(async () => {
      const rows = await queryRows(
        database,
        z.object({ cron: z.string() }),
        "select cron from pgboss.schedule where key = 'almaLinux'",
      ).catch(() => [{ cron: 'no schedules yet' }]);
      return rows[0]?.cron === wanted;
    });
  await begin();
  await cronIs('15 */6 * * *');
  const since = Date.now();
  for (const schedule of ['5 4 * * *', null]) {
    await set({ schedule });
    sync.keepSchedules();
    await cronIs(schedule ?? '15 */6 * * *');
  }
  await set({ enabled: false });
  sync.keepSchedules();
  await cronIs(undefined);
  await set({});
  sync.keepSchedules();
  await cronIs('15 */6 * * *');
  expect(Date.now() - since).toBeLessThan(10_000);
});

test('keeps schedules in the database across restarts', async () => {
  await begin();
  const schedule = await until(async () => {
    const rows = await queryRows(
      database,
      z.object({ key: z.string(), cron: z.string(), timezone: z.string() }),
      'select key, cron, timezone from pgboss.schedule order by key',
    ).catch(() => []);
    return rows[0] ?? null;
  });
  expect(schedule).toMatchObject({ key: 'almaLinux', cron: '15 */6 * * *', timezone: 'UTC' });
});
