/** Opens the database of the environment for a command at the terminal, the embedded one exclusively. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import type { Database } from '../database/database.ts';
import { serverDatabase } from '../database/server-database.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';

export interface MaintenanceDatabase {
  readonly database: Database;
  /** The database in words, for messages. */
  readonly name: string;
}

export const maintenanceConfig = (): Config => readConfig(process.env, process.cwd());

/**
 * @throws FolderInUse while the service runs on the folder.
 * @throws StartupError when the embedded database does not exist and `make` is false.
 */
export async function openForMaintenance({
  make,
}: {
  readonly make: boolean;
}): Promise<MaintenanceDatabase> {
  const { dataDir, databaseUrl, postgresSettings } = maintenanceConfig();
  if (databaseUrl !== null) {
    const { host, pathname } = new URL(databaseUrl);
    return {
      database: serverDatabase({ url: databaseUrl, connections: 2, statementTimeout: 0 }),
      name: `PostgreSQL at ${host}${pathname}`,
    };
  }
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
