/**
 * `npm run backup -- <file>`: writes a signed dump of the database, compressed when the file's name ends in .gz; --public-key
 * prints the key that verifies it.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { printLine, runCommand } from '../../platform/maintenance/maintenance-command.ts';
import {
  maintenanceConfig,
  withMaintenanceDatabase,
} from '../../platform/maintenance/maintenance-database.ts';
import { nameFile } from '../../platform/maintenance/system-failure.ts';
import { secretKey } from '../../platform/secrets/secret-key.ts';
import { dumpSigner, writeDumpFile } from './database-dump.ts';
import { withSnapshot } from './dumped-tables-store.ts';

await runCommand(async () => {
  const [file, ...more] = process.argv.slice(2);
  if (file === '--public-key' && more.length === 0) {
    printLine(dumpSigner(secretKey(maintenanceConfig())).publicKey);
    return;
  }
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new StartupError(
      'Give one file: npm run backup -- patch-repository.sql.gz. Or print the public key: npm run backup -- --public-key',
    );
  const path = resolve(file);
  if (existsSync(path))
    throw new StartupError(`${path} already exists. Give another file name, or remove the file.`);
  if (!existsSync(dirname(path)))
    throw new StartupError(
      `The folder ${dirname(path)} does not exist. Create it, or give a file in another folder.`,
    );
  const whenLost = () =>
    'No dump was written, and the database is unchanged. Run the command again when it responds.';
  await withMaintenanceDatabase({ make: false, whenLost }, async ({ database, name }) => {
    const signer = dumpSigner(secretKey(maintenanceConfig()));
    printLine(`Writing a dump of the ${name} …`);
    let rows = 0;
    let table = '';
    const onRows = (current: string, rowCount: number) => {
      rows += rowCount;
      if (current !== table) printLine(`  ${current}`);
      table = current;
    };
    const work = { onTotal: (total: number) => printLine(`${total} rows in total`), onRows };
    const bytes = await withSnapshot(database, (session) =>
      writeDumpFile(session, path, Date.now(), signer, work),
    ).catch(nameFile(path));
    printLine(
      `${path}: ${rows} rows, ${(bytes / 1024 ** 2).toFixed(1)} MB. Keep SECRET_KEY, or secret.key of the data folder, with it.`,
    );
    printLine(
      `It is signed with the key ${signer.fingerprint}. To verify it without that secret, keep its public key: ${signer.publicKey}`,
    );
  });
});
