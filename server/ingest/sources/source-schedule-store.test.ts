import type { SourceKey } from '@patch/catalogue/sources.ts';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { openOnce } from '../../testing/databases.ts';
import { addRun, requestRunCancel } from '../runs/run-store.ts';
import { followSchedules, hasSyncBegun } from './source-schedule-store.ts';

const open = openOnce();
let database: Database;

beforeEach(async () => {
  database = await open();
});

const hour = 3_600_000;
const midnight = Date.UTC(2026, 10, 21);
const daily = (...sources: SourceKey[]) =>
  new Map(sources.map((source) => [source, '15 3 * * *'] as const));
const quarterPastThree = midnight + 3.25 * hour;

const follow = (schedules: ReadonlyMap<SourceKey, string>, now: number) =>
  followSchedules(database, schedules, now);

async function queued(): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    z.object({ source: z.string(), by: z.string() }),
    `select source, started_by as by from sync_run where state = 'queued' order by source`,
  );
  return rows.map(({ source, by }) => `${source} ${by}`);
}

test('queues a source when it is due, and returns the next due time', async () => {
  const hourly = new Map<SourceKey, string>([...daily('debian'), ['mac', '0 * * * *']]);
  expect(await follow(hourly, midnight + 0.5 * hour)).toBe(midnight + hour);
  expect(await queued()).toEqual([]);
  expect(await follow(hourly, midnight + hour)).toBe(midnight + 2 * hour);
  expect(await queued()).toEqual(['mac schedule']);
  await follow(daily('debian'), quarterPastThree - 1);
  expect(await queued()).toEqual(['mac schedule']);
  expect(await follow(daily('debian'), quarterPastThree)).toBe(quarterPastThree + 24 * hour);
  expect(await queued()).toEqual(['debian schedule', 'mac schedule']);
});

test('queues a source once that was due several times', async () => {
  await follow(daily('debian'), midnight);
  expect(await follow(daily('debian'), midnight + 75 * hour)).toBe(quarterPastThree + 72 * hour);
  expect(await queued()).toEqual(['debian schedule']);
  await requestRunCancel(database, 'debian', 'admin', midnight);
  await follow(daily('debian'), midnight + 75 * hour);
  expect(await queued()).toEqual([]);
});

test('queues a source once when several processes check at the same time', async () => {
  const sources = ['debian', 'mac', 'ubuntu'] as const;
  await follow(daily(...sources), midnight);
  await Promise.all(Array.from({ length: 4 }, () => follow(daily(...sources), quarterPastThree)));
  const rows = await queryRows(
    database,
    z.object({ runs: z.number() }),
    'select count(*) as runs from sync_run',
  );
  expect(rows).toEqual([{ runs: 3 }]);
});

test('does not queue a source with an active run', async () => {
  await follow(daily('debian'), midnight);
  await addRun(database, 'debian', 'admin', midnight);
  await follow(daily('debian'), quarterPastThree);
  expect(await queued()).toEqual(['debian admin']);
});

test('applies a changed or removed schedule', async () => {
  await follow(daily('debian', 'mac'), midnight);
  const changed = new Map<SourceKey, string>([['debian', '0 5 * * *']]);
  expect(await follow(changed, midnight)).toBe(midnight + 5 * hour);
  await follow(changed, quarterPastThree);
  expect(await queued()).toEqual([]);
  expect(await follow(new Map(), midnight + 6 * hour)).toBeNull();
  expect(await queued()).toEqual([]);
});

test('recalculates due times after the clock was set back', async () => {
  await follow(daily('debian'), midnight + 1000 * hour);
  expect(await follow(daily('debian'), midnight)).toBe(quarterPastThree);
});

test('begins with the first run that somebody starts or that succeeds, not with a failing schedule', async () => {
  expect(await hasSyncBegun(database)).toBe(false);
  await addRun(database, 'debian', 'schedule', midnight);
  await database.query("update sync_run set state = 'failed'");
  expect(await hasSyncBegun(database)).toBe(false);
  await addRun(database, 'almaLinux', 'admin', midnight);
  expect(await hasSyncBegun(database)).toBe(true);
  await database.query("update sync_run set started_by = 'schedule', state = 'succeeded'");
  expect(await hasSyncBegun(database)).toBe(true);
});
