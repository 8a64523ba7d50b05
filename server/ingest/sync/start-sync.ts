/** Starts and cancels runs for the rest of the service, without waiting for their end. The sync thread runs them. */
import { type AnyFeed, isRiskFeed } from '@patch/catalogue/definition/feed.ts';
import { feeds as catalogueFeeds } from '@patch/catalogue/feeds.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
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
} from '../runs/run-store.ts';
import {
  followSchedules,
  hasSyncBegun,
  isAnyQueued,
  isIndexingDue,
} from '../sources/source-schedule-store.ts';
import { readAllSourceSettings } from '../sources/source-setting-store.ts';
import { assertEnabled, createAlreadyRunningError } from '../sources/start-errors.ts';
import type { SyncThreadCommand, SyncThreadEvent, SyncThreadStart } from './sync-thread.ts';

export interface Sync {
  /** Queues a run. @throws AppError `sync_running` while another run of the source is active, `source_disabled` */
  start(source: SourceKey, startedBy: string): Promise<Run>;
  /** Requests the end of the active run and returns its current state. @throws AppError `no_sync_running` */
  cancel(source: SourceKey, by: string): Promise<Run>;
  /** Stops the sync thread. Its runs end as interrupted. */
  stop(): Promise<void>;
}

export type SyncControl = Pick<Sync, 'start' | 'cancel'>;

type Feeds = Partial<Record<SourceKey, AnyFeed>>;

export interface StartSyncOptions {
  readonly database: OpenDatabase;
  readonly notifications: Notifications;
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'feedMirror' | 'role'>;
  readonly log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>;
  /** The module that exports `feeds`; by default that of the catalogue. */
  readonly feedsModule?: string;
  /** Heap limit of the sync thread, in MiB. */
  readonly heapLimit?: number;
  /** Time without a run after which the sync thread ends. */
  readonly idleMs?: number;
}

/** In MiB. If a document exhausts the memory in spite of the limits of its reader, its run ends and not the service. */
const defaultHeapLimit = 2048;
/** Maximum of a timer. Schedules that are due later are checked again after it. */
const maxTimerMs = 24 * 3_600_000;

/** Starts the sync thread on demand. With ROLE=web, only queues runs for the workers. */
export async function startSync(options: StartSyncOptions): Promise<Sync> {
  const { database, config, notifications } = options;
  // Only this process uses the embedded database, so that active runs belong to a dead process.
  if (config.databaseUrl === null) await interruptRuns(database, Date.now(), 'all');
  const worker = config.role === 'web' ? null : await SyncSupervisor.start(options);
  const look = worker === null ? () => endSilentRuns(options) : () => worker.look();
  const unsubscribe = notifications.subscribe(['runs', 'sources'], look);
  return {
    async start(source, startedBy) {
      await assertEnabled(database, source);
      const run = await addRun(database, source, startedBy, Date.now());
      if (run === null) throw createAlreadyRunningError(source, await activeRun(database, source));
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

/** Ends the runs of dead workers. Workers do it too, but none may be left. */
function endSilentRuns({ database, log }: StartSyncOptions): void {
  interruptSilentRuns(database, Date.now(), []).catch((error: unknown) =>
    log.warn({ err: error }, 'could not check for runs of dead workers'),
  );
}

/** Applies the schedules, and starts the sync thread when a run is queued. */
class SyncSupervisor {
  readonly #options: StartSyncOptions;
  readonly #feeds: Feeds;
  readonly #thread: OnDemandThread<SyncThreadCommand, SyncThreadEvent>;
  readonly #looks = new SharedRead(() => this.#check());
  #running: readonly number[] = [];
  #due: NodeJS.Timeout | undefined;
  #stopped = false;
  /** False until the first check for records that an earlier version or a dead process has left to index. */
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
    // Waits for a check that is in progress, because the database is closed afterwards.
    await this.#looks.now().catch(() => undefined);
    await this.#thread.stop();
  }

  async #check(): Promise<void> {
    if (this.#stopped) return;
    const { database } = this.#options;
    const now = Date.now();
    await interruptSilentRuns(database, now, this.#running);
    this.#scheduleLook(
      await followSchedules(database, await readSchedules(database, this.#feeds), now),
    );
    const isIndexing = !this.#isIndexed && (await isIndexingDue(database));
    this.#isIndexed = true;
    if (isIndexing || (await isAnyQueued(database))) this.#thread.send({ order: 'look' });
  }

  #scheduleLook(due: number | null): void {
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

async function readSchedules(
  database: Database,
  feeds: Feeds,
): Promise<ReadonlyMap<SourceKey, string>> {
  const schedules = new Map<SourceKey, string>();
  const isBegun = await hasSyncBegun(database);
  for (const [source, { enabled, schedule }] of await readAllSourceSettings(database)) {
    const feed = feeds[source];
    // Risk says nothing without records. Its sources must not be the first that fail in a closed network.
    if (!enabled || feed === undefined || (isRiskFeed(feed) && !isBegun)) continue;
    const cron = schedule ?? feed.schedule;
    if (cron !== undefined) schedules.set(source, cron);
  }
  return schedules;
}
