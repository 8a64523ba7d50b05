/** Databases as an earlier version left them, to test what its upgrade keeps. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Database } from '../platform/database/database.ts';
import { migrate, migrationsFolder } from '../platform/database/schema/migrate.ts';

/** Empties the database and makes it anew with the migrations before this number. `migrate` upgrades it then. */
export async function migrateBefore(database: Database, number: number): Promise<void> {
  await database.script('drop schema public cascade; create schema public');
  const earlier = await mkdtemp(join(tmpdir(), 'patch-migrations-'));
  await cp(migrationsFolder, earlier, {
    recursive: true,
    // The folder itself has no number.
    filter: (path) => !(Number.parseInt(basename(path), 10) >= number),
  });
  await migrate(database, earlier);
  await rm(earlier, { recursive: true });
}
