/** Opens the configured database, and migrates its tables. */
import type { Database } from './database.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded-database.ts';
import { migrate } from './migrate.ts';
import { serverDatabase } from './server-database.ts';

export interface OpenOptions {
  readonly dataDir: string;
  /** Null: the embedded database in dataDir. */
  readonly databaseUrl: string | null;
  /** The embedded database's thread died: queries are no longer possible, the process should end. */
  readonly onFatal?: (error: Error) => void;
  /** A connection to the server was lost and will be re-established. */
  readonly onLost?: (error: Error) => void;
}

export type ServerDatabase = Database & { readonly kind: 'server' };
export type OpenDatabase = EmbeddedDatabase | ServerDatabase;

/** Throws FolderInUse when another process has the embedded database, MigrationError when its tables are not this version's. */
export async function openDatabase({
  dataDir,
  databaseUrl,
  onFatal,
  onLost,
}: OpenOptions): Promise<OpenDatabase> {
  const database =
    databaseUrl === null
      ? await openEmbedded({ dataDir, ...(onFatal && { onFatal }) })
      : (serverDatabase({ url: databaseUrl, ...(onLost && { onLost }) }) as ServerDatabase);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
