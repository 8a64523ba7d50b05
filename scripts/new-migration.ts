/** Writes a migration for the lists that have no table yet: node scripts/new-migration.ts <name>. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationsFolder } from '@patch/server/database/migrate.ts';
import { tableSql } from '@patch/server/database/table-sql.ts';
import { migrationsSoFar } from './lists-without-table.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) throw new Error('Name the migration in small letters: add-fedora');

const { files, listsWithoutTable } = await migrationsSoFar();
if (listsWithoutTable.length === 0) {
  process.stdout.write('Every list has its table.\n');
} else {
  const number = String(Number(files.at(-1)?.slice(0, 3) ?? 0) + 1).padStart(3, '0');
  const file = join(migrationsFolder, `${number}-${name}.sql`);
  await writeFile(file, listsWithoutTable.map(tableSql).join('\n'), { flag: 'wx' });
  process.stdout.write(`${file}: ${listsWithoutTable.map((list) => list.key).join(', ')}\n`);
}
