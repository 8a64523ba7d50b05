/** Runs queued syncs in the sync thread. */

import { join } from 'node:path';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { buildRecordIndex } from '../../platform/database/build-record-index.ts';
import type { Database } from '../../platform/database/database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import type { ThreadLog } from '../../platform/threads/thread-log.ts';
import { createUpstream } from './create-upstream.ts';
import { DocumentCache } from './document-cache.ts';
import { EntrySpool } from './entry-spool.ts';
import { Fetcher } from './fetcher.ts';
import { runSource } from './run-source.ts';
import { takeRun } from './run-store.ts';
import { type RunningRun, RunStopped } from './running-run.ts';

export interface SyncWorkerOptions {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  readonly log: ThreadLog;
  /** Called with the ids of all active runs when they have changed. */
  readonly onRunning: (runIds: readonly number[]) => void;
}

export interface SyncWorker {
  /** Starts queued runs. Resolves when all runs have ended and none is queued; never rejects. */
  look(): Promise<void>;
  cancel(runId: number, by: string): void;
  /** Ends active runs as interrupted. */
  stop(): Promise<void>;
}

/** Concurrent runs of one process. */
const concurrency = 2;

export async function startSyncWorker({
  database,
  feeds,
  dataDir,
  feedMirror,
  log,
  onRunning,
}: SyncWorkerOptions): Promise<SyncWorker> {
  const cache = new DocumentCache(join(dataDir, 'feed-cache'));
  await cache.prepare();
  const [spoolFolder, keysFolder] = [join(dataDir, 'feed-spool'), join(dataDir, 'trusted-keys')];
  await EntrySpool.sweep(spoolFolder);
  const upstream = createUpstream(feedMirror);
  const running = new Map<number, RunningRun>();
  const context = {
    database,
    feeds,
    fetcher: new Fetcher(upstream, cache),
    environmentMirror: feedMirror,
    cache,
    spoolFolder,
    keysFolder,
    running,
    log,
    onRunning: () => onRunning([...running.keys()]),
  };
  const ending = new AbortController();
  const indexing = indexRecords(database, log, ending.signal);
  const slots = Array.from({ length: concurrency }, () => new SharedRead(runQueued));

  /** Runs queued runs one after another until none is queued. */
  async function runQueued(): Promise<void> {
    try {
      for (let run = await take(); run !== null; run = await take()) await runSource(context, run);
    } catch (err) {
      log('warn', 'Queued runs could not be started and are retried', { err });
    }
  }

  const take = async () => (ending.signal.aborted ? null : takeRun(database, null, Date.now()));
  const look = async () => void (await Promise.all([indexing, ...slots.map((slot) => slot.now())]));
  return {
    look,
    cancel: (runId, by) => running.get(runId)?.cancel(by),
    async stop() {
      ending.abort();
      const stopped = new RunStopped('interrupted', { code: 'server_stopped', params: {} });
      for (const run of running.values()) run.stop(stopped);
      await look();
      upstream.close();
    },
  };
}

/** Indexes the lists again whose mapping has changed since they were indexed. After a failure, the next start continues. */
async function indexRecords(
  database: Database,
  log: SyncWorkerOptions['log'],
  signal: AbortSignal,
): Promise<void> {
  const since = performance.now();
  try {
    const records = await buildRecordIndex({ database, signal });
    if (records > 0) log('info', 'indexed records', { records, ms: msSince(since) });
  } catch (err) {
    log('warn', 'The index of records is incomplete until the next start', { err });
  }
}
