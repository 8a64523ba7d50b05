/** Starts the fleet thread, and starts it again when it dies; the service answers meanwhile, from what was judged last. */
import { Worker } from 'node:worker_threads';
import type { Config } from '../platform/config/config.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import type { Log } from '../platform/logging/logging.ts';
import type { FleetThreadEvent, FleetThreadStart } from './fleet-thread.ts';

export interface Fleet {
  stop(): Promise<void>;
}

export interface FleetOptions {
  readonly database: Pick<OpenDatabase, 'url'>;
  readonly config: Pick<Config, 'machinesKeptDays'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** In MiB. */
const heapLimit = 1024;
const restMs = 10_000;
const maxStopMs = 10_000;

export function startFleet({ database, config, log }: FleetOptions): Fleet {
  let stopping = false;
  let rest: NodeJS.Timeout | undefined;
  let thread = launched();

  function launched(): Worker {
    const { machinesKeptDays } = config;
    const worker = new Worker(new URL('./fleet-thread.ts', import.meta.url), {
      workerData: { databaseUrl: database.url, machinesKeptDays } satisfies FleetThreadStart,
      name: 'fleet',
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    });
    let cause: unknown;
    worker.on('message', ({ level, words, detail }: FleetThreadEvent) =>
      log[level]({ ...(detail !== null && { detail }) }, words),
    );
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', (code) => {
      if (stopping) return;
      const error = new Error(`The fleet thread ended (${code})`, { cause });
      log.error(
        { err: error, restartsInMs: restMs },
        'the fleet thread ended and is being restarted',
      );
      rest = setTimeout(() => {
        thread = launched();
      }, restMs);
    });
    return worker;
  }

  return {
    async stop() {
      stopping = true;
      clearTimeout(rest);
      // A dead thread has the id -1, and emits no exit event.
      if (thread.threadId === -1) return;
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage('stop');
      const limit = setTimeout(() => void thread.terminate(), maxStopMs);
      await ended;
      clearTimeout(limit);
    },
  };
}
