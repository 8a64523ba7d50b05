/** The fleet thread: judges what machines miss and deletes what is no longer kept, apart from the thread that answers requests. */
import { setTimeout as after } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { serverDatabase } from '../platform/database/server-database.ts';
import { sendEvent, serveThread, type ThreadOwner } from '../platform/threads/serve-thread.ts';
import { FleetJudge } from './fleet-judge.ts';
import { maintainFleet } from './fleet-maintenance.ts';
import { yieldProcessors } from './yield-processors.ts';

export interface FleetThreadStart {
  readonly databaseUrl: string;
  readonly machinesKeptDays: number;
}

/** A line for the log. */
export interface FleetThreadEvent {
  readonly level: 'info' | 'warn';
  readonly words: string;
  readonly detail: string | null;
}

const connections = 2;
/** While machines are being reported, the rounds take a quarter of the time: taking machines in needs the processors too. */
const restAfter = (roundMs: number) => Math.min(20_000, 3 * roundMs);
const maintenanceMs = 10 * 60_000;

function serve(owner: ThreadOwner, start: FleetThreadStart): void {
  yieldProcessors();
  const log = (level: FleetThreadEvent['level'], words: string, error?: unknown) =>
    sendEvent(owner, {
      level,
      words,
      detail: error instanceof Error ? (error.stack ?? error.message) : null,
    } satisfies FleetThreadEvent);
  const database = serverDatabase({
    url: start.databaseUrl,
    connections,
    statementTimeout: 0,
    onLost: (error) => log('warn', 'A connection to the database was lost', error),
  });
  const judge = new FleetJudge({ database, restAfter });
  const ending = new AbortController();
  const { signal } = ending;
  let maintainedOn = 0;
  let working: Promise<void> = Promise.resolve();

  async function judgeDue(): Promise<void> {
    for (;;) {
      const { judged, waitMs, ...did } = await judge.round(signal);
      if (judged && did.judgedParts + did.countedMachines > 0)
        log('info', `Judged machines: ${JSON.stringify(did)}`);
      if (waitMs !== null) await after(waitMs, undefined, { signal });
      else if (!judged) return;
    }
  }

  async function maintain(): Promise<void> {
    if (Date.now() - maintainedOn < maintenanceMs) return;
    maintainedOn = Date.now();
    await maintainFleet(database, { now: maintainedOn, keptDays: start.machinesKeptDays, signal });
  }

  serveThread(owner, {
    work() {
      working = working
        .then(judgeDue)
        .then(maintain)
        .catch((error: unknown) => {
          if (!signal.aborted)
            log('warn', 'Machines could not be judged; this is tried again', error);
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
