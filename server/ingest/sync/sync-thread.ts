/** The sync thread: apart from the thread that answers requests, so that no document however large keeps those waiting. */
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { sendEvent, serveThread } from '../../platform/threads/serve-thread.ts';
import type { SyncThreadCommand, SyncThreadEvent, SyncThreadStart } from './sync-messages.ts';
import { type SyncWorkerOptions, startSyncWorker } from './sync-worker.ts';

const connections = 4;

/** Not all of the error: a driver's carries its whole connection along. */
const detailOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : inspect(error);

async function serve(owner: NonNullable<typeof parentPort>, start: SyncThreadStart): Promise<void> {
  const send = (event: SyncThreadEvent) => sendEvent(owner, event);
  const log: SyncWorkerOptions['log'] = (level, words, error) => {
    send({ kind: 'log', level, words, detail: error === undefined ? null : detailOf(error) });
  };
  const database = serverDatabase({
    url: start.databaseUrl,
    connections,
    statementTimeout: 0,
    onLost: (error) => log('warn', 'A connection to the database was lost', error),
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
