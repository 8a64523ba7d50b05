/** The embedded database: PGlite in a thread of its own, behind a lock on its folder. */
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Database } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { databaseOver, errorOf } from './port-database.ts';
import type { DatabasePlace, Priority, ThreadCommand, ThreadEvent } from './thread-messages.ts';

export interface EmbeddedDatabase extends Database {
  readonly kind: 'embedded';
  /** A door for another thread: hand it over, and call databaseOver(port) there. */
  port(options: { readonly priority: Priority }): MessagePort;
}

/** Not the one of a thread that was given a port itself. */
export function opensPorts(database: Database | EmbeddedDatabase): database is EmbeddedDatabase {
  return (database as Partial<EmbeddedDatabase>).port !== undefined;
}

export interface EmbeddedOptions {
  /** Null: in memory, for tests. */
  readonly dataDir: string | null;
  /** The file of PGlite's `dumpDataDir` with which a new database begins, in place of an empty one. For tests. */
  readonly archive?: string;
  /** The thread died; nothing can be asked any more. Without it the process ends with an uncaught error. */
  readonly onFatal?: (error: Error) => void;
}

/** For people; a sync has its own port, without. */
const interactiveTimeout = 30_000;

export async function openEmbedded({
  dataDir,
  archive,
  onFatal,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const lock = dataDir === null ? null : lockFolder(dataDir);
  const folder = dataDir === null ? null : join(dataDir, 'database');
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    workerData: { folder, archive: archive ?? null } satisfies DatabasePlace,
    name: 'database',
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  });
  let state: 'open' | 'closing' = 'open';
  try {
    await opened(worker);
  } catch (error) {
    await worker.terminate();
    lock?.release();
    throw error;
  }

  const dead = (error: Error) => {
    lock?.release();
    if (state === 'closing') return;
    state = 'closing';
    if (onFatal === undefined) throw error;
    onFatal(error);
  };
  let cause: Error | null = null;
  worker.on('error', (error: unknown) => {
    cause = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => dead(new Error(`The database thread ended (${code})`, { cause })));
  // The database alone keeps no process alive.
  worker.unref();

  const port = ({ priority }: { readonly priority: Priority }): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(
      { order: { kind: 'attach', priority } satisfies ThreadCommand, port: port2 },
      [port2],
    );
    return port1;
  };
  const own = databaseOver(port({ priority: 'interactive' }), { timeout: interactiveTimeout });
  return {
    kind: 'embedded',
    query: (text, values, pace) => own.query(text, values, pace),
    script: (text) => own.script(text),
    transaction: (work) => own.transaction(work),
    load: () => own.load?.() ?? { open: 1, idle: 1, waiting: 0 },
    port,
    async close() {
      if (state === 'closing') return;
      state = 'closing';
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.ref();
      worker.postMessage({ order: { kind: 'close' } satisfies ThreadCommand });
      await newsOf(worker, 'closed');
      await own.close();
      await worker.terminate();
      await ended;
      lock?.release();
    },
  };
}

async function opened(worker: Worker): Promise<void> {
  const news = await newsOf(worker, 'open');
  if (news.kind === 'broken') throw errorOf(news.failed);
}

/** The next news that is `awaited` or that the thread is broken. */
function newsOf(worker: Worker, awaited: ThreadEvent['kind']): Promise<ThreadEvent> {
  return new Promise((resolve, reject) => {
    const heard = (news: ThreadEvent) => {
      if (news.kind !== awaited && news.kind !== 'broken') return;
      stop();
      resolve(news);
    };
    const failed = (error: unknown) => {
      stop();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const exited = (code: number) => failed(new Error(`The database thread ended (${code})`));
    const stop = () => {
      worker.off('message', heard);
      worker.off('error', failed);
      worker.off('exit', exited);
    };
    worker.on('message', heard);
    worker.on('error', failed);
    worker.on('exit', exited);
  });
}
