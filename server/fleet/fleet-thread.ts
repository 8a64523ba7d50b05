/** The fleet thread: judges what machines miss and deletes what is no longer kept, apart from the thread that answers requests. */

import { parentPort, workerData } from 'node:worker_threads';
import { serverDatabase } from '../platform/database/server-database.ts';
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
const pollMs = 2000;
/** While machines are being reported, the rounds take a quarter of the time: taking machines in needs the processors too. */
const restAfter = (roundMs: number) => Math.min(20_000, 3 * roundMs);
const maintenanceMs = 10 * 60_000;

function serve(owner: NonNullable<typeof parentPort>, start: FleetThreadStart): void {
  yieldProcessors();
  const log = (level: FleetThreadEvent['level'], words: string, error?: unknown) =>
    owner.postMessage({
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
  let maintainedOn = 0;
  let timer: NodeJS.Timeout | undefined;

  async function poll(): Promise<void> {
    const { judged, ...did } = await judge.round(ending.signal);
    if (judged && did.judgedParts + did.countedMachines > 0)
      log('info', `Judged machines: ${JSON.stringify(did)}`);
    if (Date.now() - maintainedOn < maintenanceMs) return;
    maintainedOn = Date.now();
    const { signal } = ending;
    await maintainFleet(database, { now: maintainedOn, keptDays: start.machinesKeptDays, signal });
  }

  function pollAgain(): void {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      working = poll()
        .catch((error: unknown) => {
          if (!ending.signal.aborted)
            log('warn', 'Machines could not be judged; this is tried again', error);
        })
        .finally(pollAgain);
    }, pollMs);
  }
  let working: Promise<void> = Promise.resolve();
  pollAgain();

  owner.once('message', () => {
    ending.abort();
    clearTimeout(timer);
    void working.then(() => database.close()).then(() => process.exit(0));
  });
}

if (parentPort !== null) serve(parentPort, workerData as FleetThreadStart);
