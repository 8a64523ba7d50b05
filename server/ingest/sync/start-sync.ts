/** The sync interface for the rest of the service: starts and cancels runs, and does not wait for their end. The work is done in the sync thread. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { feeds as catalogueFeeds } from '@patch/catalogue/feeds.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { OnDemandThread } from '../../platform/threads/on-demand-thread.ts';
import { writeLogLine } from '../../platform/threads/thread-log.ts';
import {
  activeRun,
  addRun,
  interruptRuns,
  interruptSilentRuns,
  requestRunCancel,
} from './run-store.ts';
import { followSchedules } from './source-schedule-store.ts';
import { allSavedSettings } from './source-setting-store.ts';
import { alreadyRunning, assertEnabled } from './start-errors.ts';
import { isAnyQueued, isIndexingDue } from './sync-due-store.ts';
import type { SyncThreadCommand, SyncThreadEvent, SyncThreadStart } from './sync-messages.ts';

export interface Sync {
  /** Queues a run. Refuses while another run of the source is queued or running, and when the source is disabled. */
  start(source: SourceKey, startedBy: string): Promise<Run>;
  /** Asks the run to end; returns its current state. Refuses when there is none. */
  cancel(source: SourceKey, by: string): Promise<Run>;
  /** Running runs end as interrupted. */
  stop(): Promise<void>;
}

export type SyncControl = Pick<Sync, 'start' | 'cancel'>;

type Feeds = Partial<Record<SourceKey, AnyFeed>>;

export interface StartSyncOptions {
  readonly database: OpenDatabase;
  readonly notifications: Notifications;
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'feedMirror' | 'role'>;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;
  /** The module whose `feeds` are synced; the catalogue's own when absent. */
  readonly feedsModule?: string;
  /** Of the sync thread's heap, in MiB. */
  readonly heapLimit?: number;
  /** Without a run, until the sync thread ends. */
  readonly idleMs?: number;
}

/** In MiB. The second line of defence after the readers' own limits: a document that still exhausts the memory ends its run, not the service. */
const defaultHeapLimit = 2048;
/** A timer takes no longer time; what is due later is found by another look. */
const maxTimerMs = 24 * 3_600_000;

/** With ROLE=web runs are only queued here, for the workers to find. */
export async function startSync(options: StartSyncOptions): Promise<Sync> {
  const { database, config, notifications } = options;
  // One process owns the embedded database: runs that are queued or running at the start belong to a dead process.
  if (config.databaseUrl === null) await interruptRuns(database, Date.now(), 'all');
  const worker = config.role === 'web' ? null : await SyncSupervisor.start(options);
  const look = worker === null ? () => endSilentRuns(options) : () => worker.look();
  const unsubscribe = notifications.subscribe(['runs', 'sources'], look);
  return {
    async start(source, startedBy) {
      await assertEnabled(database, source);
      const run = await addRun(database, source, startedBy, Date.now());
      if (run === null) throw alreadyRunning(source, await activeRun(database, source));
      return run;
    },
    async cancel(source, by) {
      const run = await requestRunCancel(database, source, by, Date.now());
      if (run === null)
        throw new AppError('no_sync_running', `No sync of ${sourceLabels[source]} is running.`);
      worker?.cancel(run.id, by);
      return run;
    },
    async stop() {
      unsubscribe();
      await worker?.stop();
    },
  };
}

/** Workers check for the runs of dead workers themselves; when no worker is left, this process marks those runs as ended. */
function endSilentRuns({ database, log }: StartSyncOptions): void {
  interruptSilentRuns(database, Date.now(), []).catch((error: unknown) =>
    log.warn({ err: error }, 'could not check for runs of dead workers'),
  );
}

/** Follows the schedules, and starts the sync thread when a run waits. */
class SyncSupervisor {
  readonly #options: StartSyncOptions;
  readonly #feeds: Feeds;
  readonly #thread: OnDemandThread<SyncThreadCommand, SyncThreadEvent>;
  readonly #looks = new SharedRead(() => this.#lookAround());
  #running: readonly number[] = [];
  #due: NodeJS.Timeout | undefined;
  #stopped = false;
  /** An earlier version or a process that died may have left records to index: looked at once. */
  #isIndexed = false;

  static async start(options: StartSyncOptions): Promise<SyncSupervisor> {
    const { feedsModule } = options;
    if (feedsModule === undefined) return new SyncSupervisor(options, catalogueFeeds);
    const { feeds } = (await import(feedsModule)) as { feeds: Feeds };
    return new SyncSupervisor(options, feeds);
  }

  private constructor(options: StartSyncOptions, feeds: Feeds) {
    const { database, config, feedsModule, heapLimit = defaultHeapLimit, idleMs } = options;
    this.#options = options;
    this.#feeds = feeds;
    this.#thread = new OnDemandThread({
      name: 'sync',
      module: new URL('./sync-thread.ts', import.meta.url),
      workerData: {
        databaseUrl: database.url,
        dataDir: config.dataDir,
        feedMirror: config.feedMirror,
        feedsModule: feedsModule ?? import.meta.resolve('@patch/catalogue/feeds.ts'),
      } satisfies SyncThreadStart,
      heapMb: heapLimit,
      idleMs,
      onEvent: (event) => this.#onEvent(event),
      onDeath: (error, restMs) => this.#onDeath(error, restMs),
      onRested: () => this.look(),
    });
  }

  look(): void {
    this.#looks
      .now()
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'could not check for queued runs and schedules'),
      );
  }

  cancel(runId: number, by: string): void {
    if (this.#thread.isRunning) this.#thread.send({ order: 'cancel', runId, by });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#due);
    // Ends at once, after a look that runs now: the database is closed after it.
    await this.#looks.now().catch(() => undefined);
    await this.#thread.stop();
  }

  async #lookAround(): Promise<void> {
    if (this.#stopped) return;
    const { database } = this.#options;
    const now = Date.now();
    await interruptSilentRuns(database, now, this.#running);
    this.#lookAt(await followSchedules(database, await schedulesNow(database, this.#feeds), now));
    const isIndexing = !this.#isIndexed && (await isIndexingDue(database));
    this.#isIndexed = true;
    if (isIndexing || (await isAnyQueued(database))) this.#thread.send({ order: 'look' });
  }

  #lookAt(due: number | null): void {
    clearTimeout(this.#due);
    if (due === null || this.#stopped) return;
    const waitMs = Math.min(maxTimerMs, Math.max(0, due - Date.now()));
    this.#due = setTimeout(() => this.look(), waitMs).unref();
  }

  #onEvent(event: SyncThreadEvent): void {
    if (event.kind === 'running') this.#running = event.runIds;
    else writeLogLine(this.#options.log, event.line);
  }

  #onDeath(error: Error, restMs: number): void {
    const { database, log } = this.#options;
    const interrupted = this.#running;
    this.#running = [];
    log.error({ err: error, restartsInMs: restMs }, 'the sync thread ended and is being restarted');
    if (interrupted.length > 0)
      interruptRuns(database, Date.now(), interrupted).catch(() => undefined);
  }
}

async function schedulesNow(
  database: Database,
  feeds: Feeds,
): Promise<ReadonlyMap<SourceKey, string>> {
  const schedules = new Map<SourceKey, string>();
  for (const [source, { enabled, schedule }] of await allSavedSettings(database)) {
    const cron = schedule ?? feeds[source]?.schedule;
    if (enabled && feeds[source] !== undefined && cron !== undefined) schedules.set(source, cron);
  }
  return schedules;
}
