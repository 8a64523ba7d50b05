/** The fleet thread: judges machines and deletes expired ones, apart from the thread that answers requests. */
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { serverDatabase } from '../platform/database/server-database.ts';
import { msSince } from '../platform/logging/ms-since.ts';
import {
  sendEvent,
  serveThread,
  type ThreadOwner,
  yieldProcessors,
} from '../platform/threads/serve-thread.ts';
import { threadLog } from '../platform/threads/thread-log.ts';
import { FleetJudge } from './fleet-judge.ts';
import { maintainFleet } from './fleet-maintenance-store.ts';

export interface FleetThreadStart {
  readonly databaseUrl: string;
  readonly machinesKeptDays: number;
}

const connections = 2;
/** While machines are reported, rounds take a quarter of the time: the intake needs the processors too. */
const restAfter = (roundMs: number) => Math.min(20_000, 3 * roundMs);
const maintenanceMs = 10 * 60_000;

function serve(owner: ThreadOwner, start: FleetThreadStart): void {
  yieldProcessors();
  const log = threadLog((line) => sendEvent(owner, line));
  const database = serverDatabase({
    url: start.databaseUrl,
    connections,
    statementTimeout: 0,
    onLost: (err) => log('warn', 'A connection to the database was lost', { err }),
  });
  const judge = new FleetJudge({ database, restAfter });
  const ending = new AbortController();
  const { signal } = ending;
  let maintainedOn = Number.NEGATIVE_INFINITY;
  let working: Promise<void> = Promise.resolve();

  async function judgeDue(): Promise<void> {
    for (;;) {
      const since = performance.now();
      const { judged, waitMs, ...did } = await judge.round(signal);
      const isWork = did.judgedParts + did.countedMachines > 0;
      if (judged) log(isWork ? 'info' : 'debug', 'judged machines', { ...did, ms: msSince(since) });
      if (waitMs !== null) await after(waitMs, undefined, { signal });
      else if (!judged) return;
    }
  }

  async function maintain(): Promise<void> {
    if (performance.now() - maintainedOn < maintenanceMs) return;
    maintainedOn = performance.now();
    await maintainFleet(database, {
      now: Date.now(),
      retentionDays: start.machinesKeptDays,
      signal,
    });
    log('debug', 'deleted expired data of machines', { ms: msSince(maintainedOn) });
  }

  serveThread(owner, {
    work() {
      working = working
        .then(judgeDue)
        .then(maintain)
        .catch((err: unknown) => {
          if (!signal.aborted)
            log('warn', 'Machines could not be judged; the next round tries again', { err });
        });
      return working;
    },
    async stop() {
      ending.abort();
      await working;
      await database.close();
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as FleetThreadStart);
