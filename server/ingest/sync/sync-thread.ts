/** The sync thread, which is separate from the main thread so that a large document does not delay requests. */
import { parentPort, workerData } from 'node:worker_threads';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { sendEvent, serveThread } from '../../platform/threads/serve-thread.ts';
import { type LogLine, threadLog } from '../../platform/threads/thread-log.ts';
import { startSyncWorker } from './sync-worker.ts';

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
  const { feeds } = (await import(start.feedsModule)) as {
    feeds: Partial<Record<SourceKey, AnyFeed>>;
  };
  const { dataDir, feedMirror } = start;
  const worker = await startSyncWorker({
    database,
    feeds,
    dataDir,
    feedMirror,
    log,
    onRunning: (runIds) => send({ kind: 'running', runIds }),
  });
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

if (parentPort !== null) await serve(parentPort, workerData as SyncThreadStart);
