import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { migrationsFolder } from '@patch/server/database/migrate.ts';

export interface MigrationsSoFar {
  /** In order of their numbers. */
  readonly files: readonly string[];
  readonly listsWithoutTable: readonly CatalogueList[];
}

export async function migrationsSoFar(): Promise<MigrationsSoFar> {
  const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql')).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(migrationsFolder, file), 'utf8')));
  return { files, listsWithoutTable: catalogueLists.filter((list) => !texts.some((text) => text.includes(`create table ${list.key} (`))) };
}
