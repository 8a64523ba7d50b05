/** The database that the environment names, for a command at the terminal: nobody else may have the embedded one meanwhile. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import type { Database } from '../database/database.ts';
import { serverDatabase } from '../database/server-database.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';

export interface MaintenanceDatabase {
  readonly database: Database;
  /** Which it is, in words. */
  readonly name: string;
}

export const maintenanceConfig = (): Config => readConfig(process.env, process.cwd());

/** Throws FolderInUse while the service runs on the folder. */
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
      `There is no database in ${dataDir}. Name its folder with DATA_DIR, or a PostgreSQL server with DATABASE_URL.`,
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
