/** The sync thread runs queued syncs. It is separate from the main thread so that a large document does not delay requests. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { Database } from '../../platform/database/database.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { sendEvent, serveThread } from '../../platform/threads/serve-thread.ts';
import { type LogLine, type ThreadLog, threadLog } from '../../platform/threads/thread-log.ts';
import { createUpstream } from '../fetching/create-upstream.ts';
import { DocumentCache } from '../fetching/document-cache.ts';
import { Fetcher } from '../fetching/fetcher.ts';
import { EntrySpool } from '../reading/entry-spool.ts';
import { takeRun } from '../runs/run-store.ts';
import { type RunningRun, RunStopped } from '../runs/running-run.ts';
import { runSource } from './run-source.ts';

export interface SyncThreadStart {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly feedMirror: string | null;
  /** The module that exports `feeds`. */
  readonly feedsModule: string;
}

export type SyncThreadCommand =
  /** Starts queued runs, and indexes records. */
  | { readonly order: 'look' }
  | { readonly order: 'cancel'; readonly runId: number; readonly by: string };

export type SyncThreadEvent =
  /** Active runs of the thread, which are interrupted if it dies. */
  | { readonly kind: 'running'; readonly runIds: readonly number[] }
  | { readonly kind: 'log'; readonly line: LogLine };

const connections = 4;

async function serve(owner: NonNullable<typeof parentPort>, start: SyncThreadStart): Promise<void> {
  const send = (event: SyncThreadEvent) => sendEvent(owner, event);
  const log = threadLog((line) => send({ kind: 'log', line }));
  const database = serverDatabase({
    url: start.databaseUrl,
    connections,
    statementTimeout: 0,
    onLost: (err) => log('warn', 'A connection to the database was lost', { err }),
  });
  const worker = await startWorker(database, start, log, (runIds) =>
    send({ kind: 'running', runIds }),
  );
  serveThread<SyncThreadCommand>(owner, {
    async work(command) {
      if (command.order === 'cancel') worker.cancel(command.runId, command.by);
      else await worker.look();
    },
    async stop() {
      await worker.stop();
      await database.close();
    },
  });
}

/** Concurrent runs of one process. */
const concurrency = 2;

/** @param onRunning - Called with the ids of all active runs when they have changed. */
async function startWorker(
  database: Database,
  { dataDir, feedMirror, feedsModule }: SyncThreadStart,
  log: ThreadLog,
  onRunning: (runIds: readonly number[]) => void,
) {
  const { feeds } = (await import(feedsModule)) as {
    feeds: Partial<Record<SourceKey, AnyFeed>>;
  };
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
    /** Starts queued runs. Resolves when all runs have ended and none is queued; never rejects. */
    look,
    cancel: (runId: number, by: string) => running.get(runId)?.cancel(by),
    /** Ends active runs as interrupted. */
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
  log: ThreadLog,
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

if (parentPort !== null) await serve(parentPort, workerData as SyncThreadStart);
