/** Opens the read replicas of DATABASE_READ_URLS, and checks their state regularly. */
import type { Config } from '../config/config.ts';
import { serverAddress } from '../config/server-address.ts';
import type { Database } from '../database/database.ts';
import { serverDatabase } from '../database/server-database.ts';
import type { Log } from '../logging/logging.ts';
import { CatalogueServers } from './catalogue-servers.ts';
import { NewestChange } from './newest-change.ts';
import { defaultTimes, ReadReplica, type ReplicaTimes } from './read-replica.ts';
import { type Identity, readIdentity } from './replica-store.ts';

/** Maximum connections to one replica for statements. */
const connections = 10;
/** Timeouts in milliseconds, shorter than the primary's: a cancelled statement is repeated there. */
const timeouts = { statement: 10_000, reply: 12_000, connect: 2_000, look: 2_000 };
/** Milliseconds for which the primary's identity is cached. A replica that differs from it causes a new read. */
const identityTtlMs = 5_000;

export interface OpenReplicas {
  readonly servers: CatalogueServers;
  close(): Promise<void>;
}

export interface ReplicasParts {
  readonly database: Database;
  readonly config: Pick<Config, 'databaseUrl' | 'databaseReadUrls'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly times?: ReplicaTimes;
}

/**
 * Returns null when no replica is configured. Checks each replica once; a replica that does not answer is left out until it does.
 */
export async function openReplicas({
  database,
  config,
  log,
  times = defaultTimes,
}: ReplicasParts): Promise<OpenReplicas | null> {
  const { databaseUrl, databaseReadUrls } = config;
  if (databaseUrl === null || databaseReadUrls.length === 0) return null;
  const now = () => performance.now();
  // A separate connection, so that choosing a replica never waits behind long statements on the primary.
  const watch = openWatch(databaseUrl);
  const newest = new NewestChange(watch, now);
  const primary = identityReader(watch, now);
  const replicas = databaseReadUrls.map(
    (url) =>
      new ReadReplica({
        ...connectionsTo(url),
        maxRunning: connections,
        name: serverAddress(url),
        primary,
        log,
        times,
        now,
      }),
  );
  const servers = new CatalogueServers(database, replicas, newest);
  await servers.refresh();
  const timer = setInterval(() => void servers.refresh(), times.intervalMs).unref();
  return {
    servers,
    async close() {
      clearInterval(timer);
      await Promise.allSettled([servers.close(), watch.close()]);
    },
  };
}

function connectionsTo(url: string) {
  const pool = serverDatabase({
    url,
    connections,
    readOnly: true,
    connectTimeout: timeouts.connect,
    statementTimeout: timeouts.statement,
    replyTimeout: timeouts.reply,
  });
  return { pool, watch: openWatch(url) };
}

/** Opens one connection with short timeouts, for quick statements only. */
const openWatch = (url: string) =>
  serverDatabase({
    url,
    connections: 1,
    readOnly: true,
    connectTimeout: timeouts.connect,
    statementTimeout: timeouts.look,
    replyTimeout: timeouts.look,
  });

function identityReader(database: Database, now: () => number) {
  let cached: { readonly identity: Identity; readonly readAt: number } | null = null;
  return async (fresh: boolean): Promise<Identity> => {
    if (!fresh && cached !== null && now() - cached.readAt < identityTtlMs) return cached.identity;
    const readAt = now();
    const identity = await readIdentity(database);
    cached = { identity, readAt };
    return identity;
  };
}
