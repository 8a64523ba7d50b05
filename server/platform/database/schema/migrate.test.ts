import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWithDatabase, type OpenFresh } from '../../../testing/databases.ts';
import type { Database } from '../database.ts';
import { MigrationError, migrate } from './migrate.ts';

let database: Database;
let folder: string;

function withTwoMigrations(open: OpenFresh): void {
  beforeEach(async () => {
    database = await open();
    await database.script('drop schema public cascade; create schema public');
    folder = await mkdtemp(join(tmpdir(), 'patch-migrations-'));
    await writeFile(
      join(folder, '001-first.sql'),
      'create table first (x int);\ninsert into first values (1);\n',
    );
    await writeFile(join(folder, '010-second.sql'), 'create table second (x int);');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}

describeWithDatabase('migrate', (open) => {
  withTwoMigrations(open);

  test('applies each migration once in order of name, and one added later afterwards', async () => {
    expect(await migrate(database, folder)).toEqual(['001-first.sql', '010-second.sql']);
    await writeFile(join(folder, '005-between.sql'), 'alter table second add y int;');
    expect(await migrate(database, folder)).toEqual(['005-between.sql']);
    expect(await migrate(database, folder)).toEqual([]);
    expect((await database.query('select * from first')).rows).toEqual([{ x: 1 }]);
  });

  test('rolls back a failing migration and retains the ones before it', async () => {
    await writeFile(
      join(folder, '010-second.sql'),
      'create table second (x int); select * from nowhere;',
    );
    await expect(migrate(database, folder)).rejects.toThrow(/010-second\.sql failed: .*nowhere/);
    const { rows } = await database.query(
      "select tablename from pg_tables where schemaname = 'public' order by 1",
    );
    expect(rows.map((row) => row['tablename'])).toEqual(['first', 'migration']);
  });

  test('refuses a migration that was changed afterwards, ignoring line endings', async () => {
    await migrate(database, folder);
    await writeFile(
      join(folder, '001-first.sql'),
      'create table first (x int);\r\ninsert into first values (1);\r\n',
    );
    expect(await migrate(database, folder)).toEqual([]);
    await writeFile(join(folder, '001-first.sql'), 'create table first (x bigint);');
    await expect(migrate(database, folder)).rejects.toThrow(MigrationError);
  });

  test('refuses a database that is newer than the service', async () => {
    await migrate(database, folder);
    await rm(join(folder, '010-second.sql'));
    await expect(migrate(database, folder)).rejects.toThrow(
      /newer than this version.*010-second\.sql/,
    );
  });
});

describeWithDatabase('migrate in several processes', (open) => {
  withTwoMigrations(open);

  test('applies each migration once when they start together', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database, folder)));
    expect(applied.flat().toSorted()).toEqual(['001-first.sql', '010-second.sql']);
  });
});
