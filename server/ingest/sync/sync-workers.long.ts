import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NotificationListener } from '../../platform/database/notifications.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { addRun, readRun, takeRun } from '../runs/run-store.ts';
import { saveSettings, standardSettings } from '../sources/source-setting-store.ts';
import { type SlowMirror, startSlowMirror } from '../testing/slow-mirror.ts';
import { type Sync, startSync } from './start-sync.ts';

describe('a web process and two workers on one PostgreSQL server', () => {
  let folder: string;
  let database: OpenDatabase;
  let databaseUrl: string;
  let notifications: NotificationListener;
  let mirror: SlowMirror;
  let web: Sync;
  let workers: Sync[];
  const complaints: unknown[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sync-workers-'));
    database = await openMigrated();
    databaseUrl = database.url;
    notifications = new NotificationListener({ url: databaseUrl });
    mirror = await startSlowMirror({
      one: [{ id: 'A', title: 'A' }],
      two: [{ id: 'B', title: 'B' }],
    });
    const complain = (...words: unknown[]) => void complaints.push(words);
    const start = (role: 'web' | 'worker', name: string) =>
      startSync({
        database,
        notifications,
        config: { dataDir: join(folder, name), databaseUrl, feedMirror: mirror.url, role },
        log: { debug() {}, info() {}, warn: complain, error: complain } as never,
        feedsModule: new URL('../testing/small-feeds.ts', import.meta.url).href,
      });
    web = await start('web', 'web');
    workers = await Promise.all([start('worker', 'one'), start('worker', 'two')]);
  });
  afterAll(async () => {
    mirror.release();
    await Promise.all([web, ...workers].map((sync) => sync.stop()));
    mirror.close();
    await notifications.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
    if (complaints.length > 0)
      throw new Error(`Complaints in the log: ${JSON.stringify(complaints)}`);
  });

  async function until(id: number, holds: (run: Run) => boolean): Promise<Run> {
    for (let tries = 0; tries < 600; tries++) {
      const run = await readRun(database, id);
      if (run !== null && holds(run)) return run;
      await pause(50);
    }
    throw new Error(
      `run ${id} did not reach the expected state; complaints: ${JSON.stringify(complaints)}`,
    );
  }

  test('runs a queued run in one worker once', async () => {
    const { id } = await web.start('almaLinux', 'admin');
    await expect(web.start('almaLinux', 'other')).rejects.toMatchObject({ code: 'sync_running' });
    expect(await until(id, (run) => run.endedAt !== null)).toMatchObject({
      state: 'succeeded',
      added: 2,
    });
    const again = await web.start('almaLinux', 'admin');
    expect(await until(again.id, (run) => run.endedAt !== null)).toMatchObject({
      state: 'succeeded',
    });
  });

  test('ends a run that the web process cancels', async () => {
    mirror.hold();
    const { id } = await web.start('almaLinux', 'admin');
    await until(id, (run) => run.state === 'running');
    await web.cancel('almaLinux', 'other');
    expect(await until(id, (run) => run.endedAt !== null)).toMatchObject({
      state: 'cancelled',
      message: { code: 'cancelled', params: { by: 'other' } },
    });
    mirror.release();
  });

  test('applies settings that the web process saves', async () => {
    const schedule = '5 4 * * *';
    await saveSettings(
      database,
      'almaLinux',
      { ...standardSettings, leftOut: [], added: [], schedule },
      'admin',
      Date.now(),
    );
    const schedules = () =>
      queryRows(
        database,
        z.object({ cron: z.string() }),
        "select cron from source_schedule where source = 'almaLinux'",
      );
    for (let tries = 0; tries < 300 && (await schedules())[0]?.cron !== schedule; tries++)
      await pause(50);
    expect(await schedules()).toEqual([{ cron: schedule }]);
  });

  test('interrupts a run without a heartbeat for a minute', async () => {
    const run = await addRun(database, 'pardus', 'schedule', Date.now() - 120_000);
    await takeRun(database, run?.id ?? 0, Date.now() - 61_000);
    expect(await until(run?.id ?? 0, ({ endedAt }) => endedAt !== null)).toMatchObject({
      state: 'interrupted',
    });
  });
});
