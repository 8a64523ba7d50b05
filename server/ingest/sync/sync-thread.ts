/** The sync thread: apart from the thread that answers requests, so that no document however large keeps those waiting. */
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import type { SyncThreadCommand, SyncThreadEvent, SyncThreadStart } from './sync-messages.ts';
import { type SyncWorkerOptions, startSyncWorker } from './sync-worker.ts';

const connections = 4;

/** Not all of the error: a driver's carries its whole connection along. */
const detailOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : inspect(error);

async function serve(owner: NonNullable<typeof parentPort>, start: SyncThreadStart): Promise<void> {
  const tell = (news: SyncThreadEvent) => owner.postMessage(news);
  const log: SyncWorkerOptions['log'] = (level, words, error) => {
    tell({ kind: 'log', level, words, detail: error === undefined ? null : detailOf(error) });
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
  const { dataDir, feedMirror, isOnlyProcess } = start;
  const worker = await startSyncWorker({
    database,
    feeds,
    dataDir,
    feedMirror,
    isOnlyProcess,
    log,
    onRunning: (runIds) => tell({ kind: 'running', runIds }),
  });
  const end = async () => {
    await worker.stop();
    await database.close();
    process.exit(0);
  };
  // What was ordered while this started has waited for this listener.
  owner.on('message', (order: SyncThreadCommand) => {
    if (order.order === 'cancel') worker.cancel(order.runId, order.by);
    else if (order.order === 'stop') void end();
    else if (order.order === 'schedules')
      worker
        .keepSchedules()
        .catch((error: unknown) =>
          log('warn', 'New schedules are followed later than usual', error),
        );
    else
      worker
        .ask(order.source, order.runId)
        .catch((error: unknown) => log('warn', 'A run waits longer than usual', error));
  });
}

if (parentPort !== null) await serve(parentPort, workerData as SyncThreadStart);
