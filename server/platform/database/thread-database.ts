/** How a thread of the service is told which database to work on, and how it opens it. */
import type { MessagePort } from 'node:worker_threads';
import type { Database } from './database.ts';
import { databaseOver } from './port-database.ts';
import { type ServerOptions, serverDatabase } from './server-database.ts';

/** Part of a thread's `workerData`. */
export interface ThreadDatabase {
  /** A port of the embedded database, which moves to the thread; null: the server at databaseUrl. */
  readonly port: MessagePort | null;
  readonly databaseUrl: string | null;
}

/** `options`: of the connections to a server; a port has none. Throws where neither database is named. */
export function openThreadDatabase(
  { port, databaseUrl }: ThreadDatabase,
  options: Omit<ServerOptions, 'url'>,
): Database {
  if (port !== null) return databaseOver(port);
  if (databaseUrl === null) throw new Error('The thread was given no database');
  return serverDatabase({ url: databaseUrl, ...options });
}
