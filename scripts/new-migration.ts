/** Writes a migration for the lists that have no table yet: node scripts/new-migration.ts <name>. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { migrationsFolder } from '@patch/server/database/migrate.ts';
import { tableSql } from '@patch/server/database/table-sql.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) throw new Error('Name the migration in small letters: add-fedora');

const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql')).sort();
const texts = await Promise.all(files.map((file) => readFile(join(migrationsFolder, file), 'utf8')));
const missing = catalogueLists.filter((list) => !texts.some((text) => text.includes(`create table ${list.key} (`)));
if (missing.length === 0) {
  process.stdout.write('Every list has its table.\n');
} else {
  const number = String(Number(files.at(-1)?.slice(0, 3) ?? 0) + 1).padStart(3, '0');
  const file = join(migrationsFolder, `${number}-${name}.sql`);
  await writeFile(file, missing.map(tableSql).join('\n'), { flag: 'wx' });
  process.stdout.write(`${file}: ${missing.map((list) => list.key).join(', ')}\n`);
}
