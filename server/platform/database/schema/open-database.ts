/** Opens the configured database and migrates its tables. */
import type { Log } from '../../logging/logging.ts';
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts';
import type { PostgresSettings } from '../../postgres/postgres-settings.ts';
import type { Database, DatabaseLoad, Pools } from '../database.ts';
import { serverDatabase } from '../server-database.ts';
import { migrate } from './migrate.ts';

export interface OpenOptions {
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in dataDir. */
  readonly databaseUrl: string | null;
  /** Settings of the embedded PostgreSQL. */
  readonly postgresSettings?: PostgresSettings;
  readonly log?: Pick<Log, 'debug' | 'info' | 'warn'>;
  /** Called when a connection was lost, which will be restored. */
  readonly onLost?: (error: Error) => void;
}

export interface OpenDatabase extends Database {
  /** Address for threads, which open their own connections. */
  readonly url: string;
  readonly pools: Pools;
}

/** Maximum connections. Threads have two to four each, and one more connection listens. */
const poolSizes = { requests: 6, searches: 8, signIns: 3 };

/**
 * @throws FolderInUse when another process has the embedded database.
 * @throws EmbeddedPostgresError when it does not start.
 * @throws MigrationError when the tables cannot be migrated.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const embedded =
    options.databaseUrl === null
      ? await startEmbeddedPostgres({ ...options, settings: options.postgresSettings ?? {} })
      : null;
  const url = embedded?.url ?? (options.databaseUrl as string);
  const { onLost } = options;
  const pool = (purpose: string, connections: number) =>
    serverDatabase({ url, purpose, connections, ...(onLost && { onLost }) });
  const database = pool('requests', poolSizes.requests);
  const pools: Pools = {
    searches: pool('searches', poolSizes.searches),
    signIns: pool('sign-ins', poolSizes.signIns),
  };
  const all = [database, pools.searches, pools.signIns];
  const close = async () => {
    await Promise.all(all.map((each) => each.close()));
    await embedded?.stop();
  };
  try {
    await migrate(database);
    return { ...database, url, pools, load: () => sumLoads(all), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function sumLoads(databases: readonly Database[]): DatabaseLoad {
  const loads = databases.flatMap((database) => database.load?.() ?? []);
  const sum = (field: keyof DatabaseLoad) => loads.reduce((total, load) => total + load[field], 0);
  return { open: sum('open'), idle: sum('idle'), waiting: sum('waiting') };
}
