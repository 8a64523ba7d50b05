/** The fleet thread starts when something is to be judged, and only then. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotificationListener } from '../platform/database/notifications.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { openOnce } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { dueJudgement, judgementRules, minTallyRestMs } from './fleet-due-store.ts';
import { type Fleet, type FleetOptions, startFleet } from './start-fleet.ts';
import { takeReports } from './take-reports.ts';
import { clientsThatReport } from './testing/client-of-fleet.ts';

const dying = new URL('./testing/dying-fleet-thread.ts', import.meta.url);
/** A machine with much else to do starts a thread in seconds. */
const soon = { timeout: 60_000 };

const open = openOnce();
let database: OpenDatabase;
let notifications: NotificationListener;
let fleet: Fleet;
let logged: string[];

beforeEach(async () => {
  database = await open();
  // Without polls: only what is notified is judged.
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
  const [client = 0] = await clientsThatReport(database, ['North']);
  const text = 'ID="almalinux"\nVERSION_ID="9.4"\nbash-1-1.x86_64\n';
  await takeReports({ database, clock: Date.now }, client, [{ key: 'a', name: 'a', text }]);
}

const isDue = async () => {
  const asked = { now: Date.now(), rules: judgementRules, tallyRestMs: minTallyRestMs };
  const { reports, changes } = await dueJudgement(database, asked);
  return reports || changes;
};

/** Resolves after notifications that were sent before have come. */
async function notified(): Promise<void> {
  let calls = 0;
  const end = notifications.subscribe(['mails'], () => void (calls += 1));
  await expect.poll(() => calls, soon).toBe(1);
  await database.query(`notify mails`);
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
  await writeRecords(database, listOfKey('almalinux_patch'), [
    { key: 'A', row: { bulletinId: 'A' } },
  ]);
  await notified();
  // Ends after a look that runs.
  await fleet.stop();
  expect(logged).toEqual([]);
});

test('starts a thread that died again after a rest', async () => {
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
