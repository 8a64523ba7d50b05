/** One worker of syncs: the runs it has taken on. Runs in the sync thread. */

import { join } from 'node:path';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { buildRecordIndex } from '../../platform/database/build-record-index.ts';
import type { Database } from '../../platform/database/database.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import type { ThreadLog } from '../../platform/threads/thread-log.ts';
import { DocumentCache } from './document-cache.ts';
import { EntrySpool } from './entry-spool.ts';
import { Fetcher } from './fetcher.ts';
import { runSource } from './run-source.ts';
import { takeRun } from './run-store.ts';
import { type RunningRun, RunStopped } from './running-run.ts';
import { upstreamOf } from './upstream-of.ts';

export interface SyncWorkerOptions {
  readonly database: Database;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  readonly log: ThreadLog;
  /** The runs it has taken on and not ended. */
  readonly onRunning: (runIds: readonly number[]) => void;
}

export interface SyncWorker {
  /** Takes queued runs on. Resolves when it has nothing to do any more; never rejects. */
  look(): Promise<void>;
  cancel(runId: number, by: string): void;
  /** Runs that are under way end as interrupted. */
  stop(): Promise<void>;
}

/** Of one process. */
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
  const upstream = upstreamOf(feedMirror);
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
  const indexing = indexRecordsBeside(database, log, ending.signal);
  const slots: (Promise<void> | null)[] = Array.from({ length: concurrency }, () => null);
  let looks = 0;

  /** Works off queued runs, one after the other, until none waits. */
  async function workOff(slot: number): Promise<void> {
    try {
      for (let seen = -1; seen !== looks && !ending.signal.aborted; ) {
        seen = looks;
        for (let run = await take(); run !== null; run = await take())
          await runSource(context, run);
      }
    } catch (err) {
      log('warn', 'Queued runs could not be taken on; this is tried again', { err });
    } finally {
      slots[slot] = null;
    }
  }

  const take = async () => (ending.signal.aborted ? null : takeRun(database, null, Date.now()));
  const finish = async () => void (await Promise.all([indexing, ...slots]));
  return {
    async look() {
      looks += 1;
      for (const slot of slots.keys()) slots[slot] ??= workOff(slot);
      await finish();
    },
    cancel: (runId, by) => running.get(runId)?.cancel(by),
    async stop() {
      ending.abort();
      const stopped = new RunStopped('interrupted', { code: 'server_stopped', params: {} });
      for (const run of running.values()) run.stop(stopped);
      await finish();
      upstream.close();
    },
  };
}

/** Indexes lists again whose mapping differs from the one that wrote the index. A failure leaves the rest for the next start. */
async function indexRecordsBeside(
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
