/** `npm run backup -- <file>`: the whole database as a dump, packed when the file's name ends in .gz. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import { command, say } from './maintenance-command.ts';
import { openForMaintenance } from './maintenance-database.ts';
import { withSnapshot } from './snapshot.ts';
import { writeDumpFile } from './write-dump-file.ts';

await command(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new StartError('Name one file: npm run backup -- patch-repository.sql.gz');
  const path = resolve(file);
  if (existsSync(path)) throw new StartError(`${path} is there already. Name another file, or remove it.`);
  const { database, name } = await openForMaintenance({ make: false });
  try {
    say(`Writing a dump of the ${name} …`);
    let rows = 0;
    let table = '';
    const onRows = (current: string, more: number) => {
      rows += more;
      if (current !== table) say(`  ${current}`);
      table = current;
    };
    const work = { onTotal: (total: number) => say(`${total} rows in all`), onRows };
    // The server keeps one moment for this one connection; the embedded database is ours alone.
    const bytes = await withSnapshot({ database, databaseUrl: null, dataDir: null }, (session) =>
      writeDumpFile(session, path, Date.now(), work),
    );
    say(`${path}: ${rows} rows, ${(bytes / 1024 ** 2).toFixed(1)} MB. Keep SECRET_KEY, or secret.key of the data folder, with it.`);
  } finally {
    await database.close();
  }
});
