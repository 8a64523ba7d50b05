/** Starts the fleet thread when a judgement is due. Meanwhile the service answers from the previous judgement. */
import type { Config } from '../platform/config/config.ts';
import type { Notifications } from '../platform/database/notifications.ts';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import { SharedRead } from '../platform/database/shared-read.ts';
import type { Log } from '../platform/logging/logging.ts';
import { OnDemandThread } from '../platform/threads/on-demand-thread.ts';
import { type LogLine, writeLogLine } from '../platform/threads/thread-log.ts';
import type { FleetThreadStart } from './fleet-thread.ts';
import { judgementRules, minTallyRestMs, readDueJudgement } from './judgement/fleet-due-store.ts';

export interface Fleet {
  stop(): Promise<void>;
}

export interface FleetOptions {
  readonly database: OpenDatabase;
  readonly notifications: Notifications;
  readonly config: Pick<Config, 'machinesKeptDays'>;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;
  /** Another thread, for tests. */
  readonly module?: URL;
}

/** MiB. */
const heapMb = 1024;
/** Machines are reported in large requests, and lists are written in batches. */
const minGapMs = 2000;
/** Maximum delay of deletions when nothing is judged. */
const maintenanceMs = 3_600_000;

export function startFleet({ database, notifications, config, log, module }: FleetOptions): Fleet {
  let stopped = false;
  let startedOn = Number.NEGATIVE_INFINITY;
  const looks = new SharedRead(look);
  const thread = new OnDemandThread<'look', LogLine>({
    name: 'fleet',
    module: module ?? new URL('./fleet-thread.ts', import.meta.url),
    workerData: {
      databaseUrl: database.url,
      machinesKeptDays: config.machinesKeptDays,
    } satisfies FleetThreadStart,
    heapMb,
    onEvent: (line) => writeLogLine(log, line),
    onDeath: (err, restartsInMs) =>
      log.error({ err, restartsInMs }, 'the fleet thread ended and is being restarted'),
    onRested: lookSoon,
  });
  const unsubscribe = notifications.subscribe(['machines', 'lists'], lookSoon, minGapMs);

  async function look(): Promise<void> {
    if (stopped) return;
    const options = { now: Date.now(), rules: judgementRules, tallyRestMs: minTallyRestMs };
    const { fleet, reports, changes } = await readDueJudgement(database, options);
    const restedMs = performance.now() - startedOn;
    if (!reports && !changes && !(fleet && restedMs >= maintenanceMs)) return;
    startedOn = performance.now();
    thread.send('look');
  }

  function lookSoon(): void {
    looks.now().catch((err: unknown) => log.warn({ err }, 'could not check for machines to judge'));
  }

  return {
    async stop() {
      stopped = true;
      unsubscribe();
      // Waits for a check that runs now, since the database is closed afterwards.
      await looks.now().catch(() => undefined);
      await thread.stop();
    },
  };
}
