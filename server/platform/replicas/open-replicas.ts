/** Opens the read replicas of DATABASE_READ_URLS, and checks their state regularly. */
import type { Config } from '../config/config.ts';
import { serverAddress } from '../config/server-address.ts';
import type { Database } from '../database/database.ts';
import { serverDatabase } from '../database/server-database.ts';
import type { Log } from '../logging/logging.ts';
import { CatalogueServers } from './catalogue-servers.ts';
import { NewestChange } from './newest-change.ts';
import { ReadReplica, type ReplicaTimes, usualTimes } from './read-replica.ts';
import { type Identity, identityOf } from './replica-store.ts';

/** Maximum connections to one replica for statements. */
const connections = 10;
/** Timeouts in milliseconds, shorter than the primary's: a cancelled statement is repeated there. */
const limits = { statement: 10_000, reply: 12_000, connect: 2_000, look: 2_000 };
/** Milliseconds for which the primary's identity is cached. A replica that differs from it causes a new read. */
const identityLives = 5_000;

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
  times = usualTimes,
}: ReplicasParts): Promise<OpenReplicas | null> {
  const { databaseUrl, databaseReadUrls } = config;
  if (databaseUrl === null || databaseReadUrls.length === 0) return null;
  const now = () => performance.now();
  // A separate connection, so that choosing a replica never waits behind long statements on the primary.
  const watch = watchOf(databaseUrl);
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
  await servers.look();
  const rounds = setInterval(() => void servers.look(), times.everyMs).unref();
  return {
    servers,
    async close() {
      clearInterval(rounds);
      await Promise.allSettled([servers.close(), watch.close()]);
    },
  };
}

function connectionsTo(url: string) {
  const pool = serverDatabase({
    url,
    connections,
    readOnly: true,
    connectTimeout: limits.connect,
    statementTimeout: limits.statement,
    replyTimeout: limits.reply,
  });
  return { pool, watch: watchOf(url) };
}

/** Opens one connection with short timeouts, for quick statements only. */
const watchOf = (url: string) =>
  serverDatabase({
    url,
    connections: 1,
    readOnly: true,
    connectTimeout: limits.connect,
    statementTimeout: limits.look,
    replyTimeout: limits.look,
  });

function identityReader(database: Database, now: () => number) {
  let kept: { readonly identity: Identity; readonly readAt: number } | null = null;
  return async (fresh: boolean): Promise<Identity> => {
    if (!fresh && kept !== null && now() - kept.readAt < identityLives) return kept.identity;
    const readAt = now();
    const identity = await identityOf(database);
    kept = { identity, readAt };
    return identity;
  };
}
