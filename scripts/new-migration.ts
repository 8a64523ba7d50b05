/**
 * `npm run new-migration -- <name>`: drafts a migration for every list whose definition asks for more than the migrations make: a table
 * that is missing, a field that was added. The draft is read and committed by a person.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { draftMigration } from '@patch/server/platform/database/draft-migration.ts';
import { migrationsFolder, readMigrations } from '@patch/server/platform/database/migrate.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  process.stderr.write(
    'Name the migration in small letters and hyphens: npm run new-migration -- add-fedora\n',
  );
  process.exit(2);
}

const dataDir = await mkdtemp(join(tmpdir(), 'draft-'));
const database = await openDatabase({
  dataDir,
  databaseUrl: null,
  postgresSettings: { fsync: 'off' },
});
try {
  const drafts = [];
  for (const list of catalogueLists)
    drafts.push(...[await draftMigration(database, list)].filter((draft) => draft !== null));
  if (drafts.length === 0) {
    process.stdout.write('Every table is as its list asks: there is nothing to migrate.\n');
  } else {
    const last = (await readMigrations()).at(-1)?.name ?? '000';
    const file = join(
      migrationsFolder,
      `${String(Number(last.slice(0, 3)) + 1).padStart(3, '0')}-${name}.sql`,
    );
    await writeFile(file, drafts.map(({ sql }) => sql).join('\n'), { flag: 'wx' });
    process.stdout.write(`${file}: ${drafts.map(({ list }) => list.key).join(', ')}\n`);
    for (const what of drafts.flatMap(({ byHand }) => byHand))
      process.stdout.write(`To be written by hand: ${what}.\n`);
  }
} finally {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
}
