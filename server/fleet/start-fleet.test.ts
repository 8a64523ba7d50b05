/** The fleet thread starts only when a judgement is due. */
import { getList } from '@patch/catalogue/lists.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotificationListener } from '../platform/database/notifications.ts';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import { openOnce } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { takeReports } from './intake/take-reports.ts';
import { judgementRules, minTallyRestMs, readDueJudgement } from './judgement/fleet-due-store.ts';
import { type Fleet, type FleetOptions, startFleet } from './start-fleet.ts';
import { buildAlmaMachine, buildReportingClients } from './testing/client-of-fleet.ts';

const dying = new URL('./testing/dying-fleet-thread.ts', import.meta.url);
/** A busy machine starts a thread in seconds. */
const soon = { timeout: 60_000 };

const open = openOnce();
let database: OpenDatabase;
let notifications: NotificationListener;
let fleet: Fleet;
let logged: string[];

beforeEach(async () => {
  database = await open();
  // Without polls: only notifications start a check.
  const times = { pollMs: 3_600_000, retryMs: { first: 10, most: 100 }, answerMs: 10_000 };
  notifications = new NotificationListener({ url: database.url, times });
  logged = [];
});
afterEach(async () => {
  await fleet.stop();
  await notifications.close();
});

function start(more: Partial<FleetOptions> = {}): void {
  const log = (_: object, words: string) => void logged.push(words);
  fleet = startFleet({
    database,
    notifications,
    config: { machinesKeptDays: 30 },
    log: { debug: () => undefined, info: log, warn: log, error: log } as never,
    ...more,
  });
}

async function report(): Promise<void> {
  const [client = 0] = await buildReportingClients(database, ['North']);
  const context = { database, clock: Date.now };
  await takeReports(context, client, [buildAlmaMachine('a', 'bash-1-1')]);
}

const isDue = async () => {
  const options = { now: Date.now(), rules: judgementRules, tallyRestMs: minTallyRestMs };
  const { reports, changes } = await readDueJudgement(database, options);
  return reports || changes;
};

/** Resolves after earlier notifications have arrived. */
async function notified(): Promise<void> {
  let calls = 0;
  const end = notifications.subscribe(['outbox'], () => void (calls += 1));
  await expect.poll(() => calls, soon).toBe(1);
  await database.query(`notify outbox`);
  await expect.poll(() => calls, soon).toBe(2);
  end();
}

test('judges a machine when it is reported', async () => {
  start();
  await report();
  await expect.poll(() => logged, soon).toEqual(['judged machines']);
  await expect.poll(isDue, soon).toBe(false);
});

test('starts no thread when a list changes and no machine was ever reported', async () => {
  start({ module: dying });
  await writeRecords(database, getList('almalinux_patch'), [
    { key: 'A', row: { bulletinId: 'A' } },
  ]);
  await notified();
  // Waits for a running check.
  await fleet.stop();
  expect(logged).toEqual([]);
});

test('restarts a thread that died, after a rest', async () => {
  start({ module: dying });
  await report();
  await expect
    .poll(() => logged, soon)
    .toEqual([
      'begins',
      'the fleet thread ended and is being restarted',
      'begins',
      'the fleet thread ended and is being restarted',
    ]);
});
