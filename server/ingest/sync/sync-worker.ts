/** One worker of syncs: the queue, the schedules and the runs it has taken on. Runs in the sync thread. */
import { join } from 'node:path';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { buildRecordIndex } from '../../platform/database/build-record-index.ts';
import type { Database } from '../../platform/database/database.ts';
import { DocumentCache } from './document-cache.ts';
import { EntrySpool } from './entry-spool.ts';
import { Fetcher } from './fetcher.ts';
import { runSource } from './run-source.ts';
import { interruptSilentRuns, maxSilenceMs, queuedRuns } from './run-store.ts';
import { type RunningRun, RunStopped } from './running-run.ts';
import { allSavedSettings } from './source-setting-store.ts';
import { startSyncQueue } from './sync-queue.ts';
import { upstreamOf } from './upstream-of.ts';

export interface SyncWorkerOptions {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  /** No other process works on the database. */
  readonly isOnlyProcess: boolean;
  readonly log: (level: 'info' | 'warn' | 'error', words: string, error?: unknown) => void;
  /** The runs it has taken on and not ended. */
  readonly onRunning: (runIds: readonly number[]) => void;
}

export interface SyncWorker {
  /** A run has been queued. */
  ask(source: SourceKey, runId: number): Promise<void>;
  cancel(runId: number, by: string): void;
  /** An administrator has set when a source is synced. */
  keepSchedules(): Promise<void>;
  /** Runs that are under way end as interrupted. */
  stop(): Promise<void>;
}

export async function startSyncWorker({
  database,
  feeds,
  dataDir,
  feedMirror,
  isOnlyProcess,
  log,
  onRunning,
}: SyncWorkerOptions): Promise<SyncWorker> {
  const cache = new DocumentCache(join(dataDir, 'feed-cache'));
  await cache.prepare();
  const [spoolFolder, keysFolder] = [join(dataDir, 'feed-spool'), join(dataDir, 'trusted-keys')];
  await EntrySpool.sweep(spoolFolder);
  const upstream = upstreamOf(feedMirror);
  const fetcher = new Fetcher(upstream, cache);
  const running = new Map<number, RunningRun>();
  const underWay = new Set<Promise<void>>();
  /** Ends before the worker has stopped: the database is closed after it. */
  const awaited = (work: Promise<void>): Promise<void> => {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  };

  const ending = new AbortController();
  void awaited(indexRecordsBeside(database, log, ending.signal));

  const queue = await startSyncQueue({
    database,
    schedules: () => schedulesNow(database, feeds),
    work: (job) =>
      awaited(
        runSource(
          {
            database,
            feeds,
            fetcher,
            environmentMirror: feedMirror,
            cache,
            spoolFolder,
            keysFolder,
            running,
            log,
            onRunning: () => onRunning([...running.keys()]),
          },
          job,
        ),
      ),
    onError: (error) => log('warn', 'The sync queue had an error and continues', error),
    isOnlyProcess,
  });

  async function lookAround(): Promise<void> {
    // Their worker's process died, here or on another machine.
    await interruptSilentRuns(database, Date.now(), Date.now() - maxSilenceMs, [...running.keys()]);
    for (const run of await queuedRuns(database)) await queue.ask(run.source, run.id);
    // Another process may have been told of other schedules.
    await queue.keepSchedules();
  }
  const look = () =>
    void awaited(lookAround()).catch((error: unknown) =>
      log('warn', 'Could not check for queued runs and schedules', error),
    );
  const lookout = setInterval(look, isOnlyProcess ? 60_000 : 2000);
  look();

  return {
    ask: (source, runId) => queue.ask(source, runId),
    cancel: (runId, by) => running.get(runId)?.cancel(by),
    keepSchedules: () => awaited(queue.keepSchedules()),
    async stop() {
      clearInterval(lookout);
      ending.abort();
      const stopped = new RunStopped('interrupted', { code: 'server_stopped', params: {} });
      for (const run of running.values()) run.stop(stopped);
      await Promise.allSettled(underWay);
      await queue.stop();
      upstream.close();
    },
  };
}

async function schedulesNow(
  database: Database,
  feeds: SyncWorkerOptions['feeds'],
): Promise<ReadonlyMap<SourceKey, string>> {
  const schedules = new Map<SourceKey, string>();
  for (const [source, { enabled, schedule }] of await allSavedSettings(database)) {
    const cron = schedule ?? feeds[source]?.schedule;
    if (enabled && feeds[source] !== undefined && cron !== undefined) schedules.set(source, cron);
  }
  return schedules;
}

/** What this version takes otherwise from the lists than the one that wrote the index. A failure leaves the rest for the next start. */
async function indexRecordsBeside(
  database: Database,
  log: SyncWorkerOptions['log'],
  signal: AbortSignal,
): Promise<void> {
  try {
    const records = await buildRecordIndex({ database, signal });
    if (records > 0) log('info', `Indexed ${records} records`);
  } catch (error) {
    log('warn', 'The index of records is incomplete until the next start', error);
  }
}
