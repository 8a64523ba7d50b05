/** The lists that no migration makes a table or view for, as the texts of the migrations say: quick, without a database. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { readMigrations } from '@patch/server/platform/database/migrate.ts';

export async function listsWithoutTable(): Promise<readonly CatalogueList[]> {
  const texts = (await readMigrations()).map(({ text }) => text);
  return catalogueLists.filter(
    ({ key, viewOf }) =>
      !texts.some((text) =>
        text.includes(viewOf === undefined ? `create table ${key} (` : `create view ${key} as`),
      ),
  );
}
