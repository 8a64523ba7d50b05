/** Opens the database of the environment for a command at the terminal, the embedded one exclusively. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { findDatabaseUnavailable } from '../database/database-unavailable.ts';
import { serverDatabase } from '../database/server-database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { assertUsableFiles } from '../files/private-files.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';

export interface MaintenanceDatabase {
  readonly database: Database;
  /** The database in words, for messages. */
  readonly name: string;
}

export const maintenanceConfig = (): Config => readConfig(process.env, process.cwd());

export interface MaintenanceOptions {
  /** Whether the embedded database is created when it does not exist. */
  readonly make: boolean;
  /**
   * Says which state the data has, and what to do, when the database was lost during the work.
   * @param unconfirmed - The database may have stored the last transaction.
   */
  readonly whenLost: (unconfirmed: boolean) => string;
}

/**
 * Opens the database for the work, and closes it afterwards.
 * @throws FolderInUse while the service runs on the folder.
 * @throws StartupError when the embedded database does not exist and `make` is false, and when the database is lost.
 */
export async function withMaintenanceDatabase(
  { make, whenLost }: MaintenanceOptions,
  work: (opened: MaintenanceDatabase) => Promise<void>,
): Promise<void> {
  const opened = await openForMaintenance(make);
  try {
    await work(opened);
  } catch (error) {
    const lost = findDatabaseUnavailable(error);
    if (lost === null) throw error;
    throw new StartupError(
      `The ${opened.name} stopped responding. ${whenLost(lost.code === 'commit_unknown')} Reason: ${lost.message}`,
      { cause: error },
    );
  } finally {
    await opened.database.close();
  }
}

async function openForMaintenance(make: boolean): Promise<MaintenanceDatabase> {
  const { dataDir, databaseUrl, postgresSettings } = maintenanceConfig();
  if (databaseUrl !== null) {
    const { host, pathname } = new URL(databaseUrl);
    return {
      database: serverDatabase({ url: databaseUrl, connections: 2, statementTimeout: 0 }),
      name: `PostgreSQL at ${host}${pathname}`,
    };
  }
  assertUsableFiles(dataDir);
  if (!make && !existsSync(join(dataDir, 'postgres')))
    throw new StartupError(
      `${dataDir} contains no database. Set DATA_DIR to its folder, or DATABASE_URL to a PostgreSQL server.`,
    );
  const own = await startEmbeddedPostgres({
    dataDir,
    settings: postgresSettings,
  });
  const database = serverDatabase({ url: own.url, connections: 2, statementTimeout: 0 });
  return {
    database: {
      ...database,
      async close() {
        await database.close();
        await own.stop();
      },
    },
    name: `embedded database in ${dataDir}`,
  };
}
