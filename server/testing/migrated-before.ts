/** An empty database with the tables that a former version made. */
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../platform/database/database.ts';
import { migrate, migrationsFolder } from '../platform/database/migrate.ts';

/** Applies the migrations whose numbers are below `before`: '162'. What the database held is lost. */
export async function migratedBefore(database: Database, before: string): Promise<void> {
  await database.script('drop schema public cascade; create schema public');
  const former = await mkdtemp(join(tmpdir(), 'patch-migrations-'));
  try {
    const names = (await readdir(migrationsFolder)).filter((name) => name < before);
    await Promise.all(
      names.map((name) => copyFile(join(migrationsFolder, name), join(former, name))),
    );
    await migrate(database, former);
  } finally {
    await rm(former, { recursive: true, force: true });
  }
}
