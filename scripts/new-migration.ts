/** `npm run new-migration -- <name>`: creates an empty migration with the next number. Lists of vendors need none. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  migrationsFolder,
  readMigrations,
} from '@patch/server/platform/database/schema/migrate.ts';

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  process.stderr.write(
    'Name the migration in small letters and hyphens: npm run new-migration -- add-notes\n',
  );
  process.exit(2);
}

const last = (await readMigrations()).at(-1)?.name ?? '000';
const number = String(Number(last.slice(0, 3)) + 1).padStart(3, '0');
const file = join(migrationsFolder, `${number}-${name}.sql`);
await writeFile(file, '-- Why the tables change.\n', { flag: 'wx' });
process.stdout.write(`${file}\n`);
