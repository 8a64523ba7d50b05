/** Migrates a database: applies every file of ./migrations once, in order of name, each in its own transaction. */

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { z } from 'zod';
import { StartupError } from '../../errors/startup-error.ts';
import type { Database, Session } from '../database.ts';
import { isDiskFull } from '../database-unavailable.ts';
import { queryRows } from '../query-rows.ts';
import { createListViews, keepShownValues } from '../records/list-views.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** This version cannot migrate the tables. The message has advice. */
export class MigrationError extends StartupError {
  override readonly name = 'MigrationError';
}

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Creates the table of applied migrations. */
export const createMigrationTable =
  'create table if not exists migration (name text primary key, checksum text not null, applied_time bigint not null)';

/**
 * Applies pending migrations and returns their names. Of several processes, one works while the others wait.
 * @throws MigrationError when the database is newer, or a migration fails or was changed.
 */
export async function migrate(
  database: Database,
  folder: string = migrationsFolder,
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(database, migrations);
    if (name === null) return applied;
    applied.push(name);
  }
}

const AppliedRow = z.object({ name: z.string(), checksum: z.string() });

/** Applies the next migration and returns its name; null when none is pending. */
function applyNext(database: Database, migrations: readonly Migration[]): Promise<string | null> {
  return database.transaction(async (tx) => {
    // Large tables take long, and so does waiting for another process.
    await tx.query('set local statement_timeout = 0');
    // Locks until the transaction ends. All versions must use the same arbitrary number.
    await tx.query('select pg_advisory_xact_lock(7203498)');
    await tx.script(createMigrationTable);
    const rows = await queryRows(
      tx,
      AppliedRow,
      'select name, checksum from migration order by name',
    );
    const known = new Map(migrations.map((migration) => [migration.name, migration]));
    for (const { name, checksum } of rows) {
      const migration = known.get(name);
      if (migration === undefined) {
        throw new MigrationError(
          `The database is newer than this version of the service: it has ${name}, which this version does not know. ` +
            'Start the version that made it, or restore a backup from before.',
        );
      }
      if (migration.checksum !== checksum) {
        throw new MigrationError(
          `Migration ${name} was changed after it was applied. Restore it, and write a new migration instead.`,
        );
      }
    }
    const done = new Set(rows.map(({ name }) => name));
    const next = migrations.find((migration) => !done.has(migration.name));
    if (next === undefined) {
      await createListViews(tx);
      return null;
    }
    try {
      await keepShownValues(tx);
      await tx.script(next.text);
    } catch (error) {
      throw new MigrationError(
        `Migration ${next.name} failed: ${error instanceof Error ? error.message : String(error)}.${isDiskFull(error) ? ' Free space on the disk of the database, and start again.' : ''}`,
        { cause: error },
      );
    }
    await recordApplied(tx, next);
    return next.name;
  });
}

async function recordApplied(tx: Session, { name, checksum }: Migration): Promise<void> {
  await tx.query('insert into migration (name, checksum, applied_time) values ($1, $2, $3)', [
    name,
    checksum,
    Date.now(),
  ]);
}

/** Creates all tables in an empty database, inside the caller's transaction. */
export async function createTables(tx: Session, migrations: readonly Migration[]): Promise<void> {
  await tx.script([createMigrationTable, ...migrations.map(({ text }) => text)].join(';\n'));
  for (const migration of migrations) await recordApplied(tx, migration);
  await createListViews(tx);
}

/** Returns the number of the last migration and a checksum of all: `020-1f3a9c2b`. */
export function schemaVersion(migrations: readonly Pick<Migration, 'name' | 'checksum'>[]): string {
  const checksums = migrations.map(({ checksum }) => checksum).join();
  return `${migrations.at(-1)?.name.slice(0, 3) ?? '000'}-${sha256Hex(checksums).slice(0, 8)}`;
}

export async function readMigrations(
  folder: string = migrationsFolder,
): Promise<readonly Migration[]> {
  const names = (await readdir(folder))
    .filter((name) => /^\d{3}-[a-z0-9-]+\.sql$/.test(name))
    .toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(`${folder}/${name}`, 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: sha256Hex(text) };
    }),
  );
}
