/** The sync interface for the rest of the service: starts and cancels runs, and does not wait for their end. The work is done in the sync thread. */
import { Worker } from 'node:worker_threads';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Config } from '../../platform/config/config.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Log } from '../../platform/logging/logging.ts';
import {
  activeRun,
  addRun,
  interruptRuns,
  interruptSilentRuns,
  maxSilenceMs,
  requestRunCancel,
} from './run-store.ts';
import { alreadyRunning, assertEnabled } from './start-errors.ts';
import type { SyncThreadCommand, SyncThreadEvent, SyncThreadStart } from './sync-messages.ts';

export interface Sync {
  /** Queues a run. Refuses while another run of the source is queued or running, and when the source is disabled. */
  start(source: SourceKey, startedBy: string): Promise<Run>;
  /** Asks the run to end; returns its current state. Refuses when there is none. */
  cancel(source: SourceKey, by: string): Promise<Run>;
  /** The schedules of sources have changed: applied at once here, in other processes within seconds. */
  keepSchedules(): void;
  /** Running runs end as interrupted. */
  stop(): Promise<void>;
}

export interface StartSyncOptions {
  readonly database: OpenDatabase;
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'feedMirror' | 'role'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** The module whose `feeds` are synced; the catalogue's own when absent. */
  readonly feedsModule?: string;
  /** Of the sync thread's heap, in MiB. */
  readonly heapLimit?: number;
}

/** In MiB. The second line of defence after the readers' own limits: a document that still exhausts the memory ends its run, not the service. */
const defaultHeapLimit = 2048;

const shortestRest = 1000;
const maxRestMs = 60_000;
const healthyAfter = 600_000;
const maxStopMs = 20_000;
const silenceLookedFor = 5000;

/** With ROLE=web runs are only queued here, for the workers to find. */
export async function startSync(options: StartSyncOptions): Promise<Sync> {
  const { database, config } = options;
  // One process owns the embedded database: runs that are queued or running at the start belong to a dead process.
  if (config.databaseUrl === null) await interruptRuns(database, Date.now(), 'all');
  const thread = config.role === 'web' ? null : new WatchedThread(options);
  const lookout = config.role === 'web' ? lookForSilence(options) : undefined;
  return {
    async start(source, startedBy) {
      await assertEnabled(database, source);
      const run = await addRun(database, source, startedBy, Date.now());
      if (run === null) throw alreadyRunning(source, await activeRun(database, source));
      thread?.tell({ order: 'look', source, runId: run.id });
      return run;
    },
    async cancel(source, by) {
      const run = await requestRunCancel(database, source, by, Date.now());
      if (run === null)
        throw new AppError('no_sync_running', `No sync of ${sourceLabels[source]} is running.`);
      thread?.tell({ order: 'cancel', runId: run.id, by });
      return run;
    },
    keepSchedules() {
      thread?.tell({ order: 'schedules' });
    },
    async stop() {
      clearInterval(lookout);
      await thread?.stop();
    },
  };
}

/** Workers check for the runs of dead workers themselves; when no worker is left, this process marks those runs as ended. */
function lookForSilence({ database, log }: StartSyncOptions): NodeJS.Timeout {
  return setInterval(() => {
    interruptSilentRuns(database, Date.now(), Date.now() - maxSilenceMs, []).catch(
      (error: unknown) => log.warn({ err: error }, 'could not check for runs of dead workers'),
    );
  }, silenceLookedFor);
}

/** Starts the thread, and restarts it when it dies; meanwhile the service keeps serving requests. */
class WatchedThread {
  readonly #options: StartSyncOptions;
  #thread: Worker;
  #running: readonly number[] = [];
  #stopping = false;
  #deaths = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(options: StartSyncOptions) {
    this.#options = options;
    this.#thread = this.#launched();
  }

  /** A message to a starting thread waits for it; a message to a dead one is redundant, because its successor reads the database. */
  tell(order: SyncThreadCommand): void {
    this.#thread.postMessage(order);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#rest);
    // A dead thread has the id -1, and emits no exit event.
    if (this.#thread.threadId === -1) return;
    const ended = new Promise((resolve) => this.#thread.once('exit', resolve));
    this.tell({ order: 'stop' });
    const patience = setTimeout(() => void this.#thread.terminate(), maxStopMs);
    await ended;
    clearTimeout(patience);
  }

  #launched(): Worker {
    const { database, config, feedsModule, heapLimit = defaultHeapLimit } = this.#options;
    const { dataDir, feedMirror } = config;
    const thread = new Worker(new URL('./sync-thread.ts', import.meta.url), {
      workerData: {
        databaseUrl: database.url,
        isOnlyProcess: config.databaseUrl === null,
        dataDir,
        feedMirror,
        feedsModule: feedsModule ?? import.meta.resolve('@patch/catalogue/feeds.ts'),
      } satisfies SyncThreadStart,
      name: 'sync',
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    });
    const startedAt = Date.now();
    let cause: unknown;
    thread.on('message', (news: SyncThreadEvent) => this.#heard(news));
    thread.on('error', (error: unknown) => {
      cause = error;
    });
    thread.on(
      'exit',
      (code) =>
        void this.#ended(
          new Error(`The sync thread ended (${code})`, { cause }),
          Date.now() - startedAt,
        ),
    );
    return thread;
  }

  #heard(news: SyncThreadEvent): void {
    if (news.kind === 'running') this.#running = news.runIds;
    else
      this.#options.log[news.level](
        { ...(news.detail !== null && { detail: news.detail }) },
        news.words,
      );
  }

  async #ended(error: Error, lived: number): Promise<void> {
    const { database, log } = this.#options;
    const interrupted = this.#running;
    this.#running = [];
    if (interrupted.length > 0)
      await interruptRuns(database, Date.now(), interrupted).catch(() => undefined);
    if (this.#stopping) return;
    this.#deaths = lived > healthyAfter ? 1 : this.#deaths + 1;
    const rest = Math.min(maxRestMs, shortestRest * 2 ** (this.#deaths - 1));
    log.error({ err: error, restartsInMs: rest }, 'the sync thread ended and is being restarted');
    this.#rest = setTimeout(() => {
      this.#thread = this.#launched();
    }, rest);
  }
}
