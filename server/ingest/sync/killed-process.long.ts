import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { NotificationListener } from '../../platform/database/notifications.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { openInFolder } from '../../testing/databases.ts';
import { readNewestRuns } from '../runs/run-history-store.ts';
import { readRun } from '../runs/run-store.ts';
import { startSlowMirror } from '../testing/slow-mirror.ts';
import { startSync } from './start-sync.ts';

test('interrupts the run of a killed process, and completes it in the next run', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'killed-'));
  const records = Array.from({ length: 6_000 }, (_, index) => ({
    id: `R-${index}`,
    title: `Record ${index}`,
    severity: 'Low',
  }));
  const mirror = await startSlowMirror({ one: records, two: [] });
  const doomed = spawn(
    process.execPath,
    [fileURLToPath(new URL('../testing/synced-process.ts', import.meta.url)), dataDir, mirror.url],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: doomed.stdout })) if (Number(line) > 0) break;
  const dead = new Promise((resolve) => doomed.once('exit', resolve));
  doomed.kill('SIGKILL');
  await dead;

  const database = await openInFolder(dataDir);
  const listed = async () =>
    (
      await queryRows(
        database,
        z.object({ rows: z.number() }),
        'select count(*) as rows from almalinux_patch',
      )
    )[0]?.rows ?? Number.NaN;
  const before = await listed();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(records.length);
  const notifications = new NotificationListener({ url: database.url });
  const sync = await startSync({
    database,
    notifications,
    config: { dataDir, databaseUrl: null, feedMirror: mirror.url, role: 'all' },
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    feedsModule: new URL('../testing/small-feeds.ts', import.meta.url).href,
  });
  expect((await readNewestRuns(database)).get('almaLinux')).toMatchObject({
    state: 'interrupted',
    stage: null,
  });

  const { id } = await sync.start('almaLinux', 'admin');
  for (
    let run = await readRun(database, id);
    run?.endedAt === null;
    run = await readRun(database, id)
  )
    await pause(100);
  expect(await readRun(database, id)).toMatchObject({
    state: 'succeeded',
    added: records.length - before,
    unchanged: before,
  });
  expect(await listed()).toBe(records.length);
  await sync.stop();
  await notifications.close();
  await database.close();
  mirror.close();
  await rm(dataDir, { recursive: true, force: true });
});
