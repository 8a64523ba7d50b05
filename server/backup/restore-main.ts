/** `npm run restore -- <file> [--replace]`: puts a dump into the database that the environment names. */
import { resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import { command, say } from './maintenance-command.ts';
import { openForMaintenance } from './maintenance-database.ts';
import { RestoreRefused, restoreDump } from './restore-dump.ts';
import { otherConnections } from './restored-tables-store.ts';

await command(async () => {
  const given = process.argv.slice(2);
  const [file, ...more] = given.filter((word) => word !== '--replace');
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new StartError(
      'Name one file: npm run restore -- patch-repository.sql.gz (with --replace what the database holds is thrown away)',
    );
  const { database, name } = await openForMaintenance({ make: true });
  try {
    if (database.kind === 'server' && (await otherConnections(database)) > 0)
      throw new RestoreRefused(`The service is running on the ${name}. Stop all of its processes first.`);
    say(`Restoring into the ${name} …`);
    const { rows, migrated } = await restoreDump({ database, path: resolve(file), replace: given.includes('--replace'), say });
    if (migrated.length > 0) say(`Brought up to date: ${migrated.join(', ')}`);
    say(`${rows} rows restored. Everybody signs in anew.`);
  } finally {
    await database.close();
  }
});
