/** `npm run restore -- <file>`: verifies a dump and restores its rows into the configured database. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { auditAnchors } from '../../platform/audit/audit-anchor.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { printLine, runCommand } from '../../platform/maintenance/maintenance-command.ts';
import {
  maintenanceConfig,
  withMaintenanceDatabase,
} from '../../platform/maintenance/maintenance-database.ts';
import { nameFile } from '../../platform/maintenance/system-failure.ts';
import { knownSecretKey } from '../../platform/secrets/secret-key.ts';
import { isPublicKey } from '../../platform/secrets/service-signer.ts';
import { dumpSigner } from './database-dump.ts';
import { BrokenDump } from './dump-lines.ts';
import { type DumpTrust, RestoreRefused, verifyDump } from './dump-signature.ts';
import { restoreDump } from './restore-dump.ts';
import { countOtherConnections } from './restored-tables-store.ts';

const usage = `Give one file: npm run restore -- patch-repository.sql.gz
  --replace          drops the existing tables of the database
  --key <key>        the public key of the installation that made the dump, or a file with it
  --accept-unsigned  restores a dump whose signature cannot be verified
  --check            verifies the signature and restores nothing`;

const options = {
  replace: { type: 'boolean', default: false },
  key: { type: 'string', multiple: true, default: [] as string[] },
  'accept-unsigned': { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
} as const;

function parseArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options,
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file !== undefined && more.length === 0) return { ...values, file };
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n${usage}`, { cause: error });
  }
  throw new StartupError(usage);
}

function readPublicKey(words: string): string {
  const key = (existsSync(words) ? readFileSync(words, 'utf8') : words).trim();
  if (!isPublicKey(key))
    throw new StartupError(
      `${words} is neither a public key nor a file with one: "npm run backup -- --public-key" prints it.`,
    );
  return key;
}

const whenLost = (unconfirmed: boolean) =>
  unconfirmed
    ? 'It contains either all rows of the dump or what it contained before, nothing in between. Restore again with --replace when it responds.'
    : 'Nothing was restored: it contains what it contained before. Run the command again when it responds.';

await runCommand(async () => {
  const { file, replace, key, check, 'accept-unsigned': acceptUnsigned } = parseArguments();
  const own = knownSecretKey(maintenanceConfig());
  const trust: DumpTrust = {
    publicKeys: [...(own === null ? [] : [dumpSigner(own).publicKey]), ...key.map(readPublicKey)],
    acceptUnsigned,
  };
  const path = resolve(file);
  if (check) {
    const { signedBy } = await verifyDump(path, { ...trust, acceptUnsigned: false }).catch(
      nameFile(path),
    );
    printLine(
      `${path} is unchanged since it was written, and signed with the key ${signedBy ?? ''}.`,
    );
    return;
  }
  await withMaintenanceDatabase({ make: true, whenLost }, async ({ database, name }) => {
    if ((await countOtherConnections(database)) > 0)
      throw new RestoreRefused(
        `The service is running on the ${name}. Stop all of its processes first.`,
      );
    printLine(`Restoring into the ${name} …`);
    const { rows } = await restoreDump({ database, path, trust, replace, say: printLine }).catch(
      nameFile(path),
    );
    // The anchors belong to the entries of the previous database.
    auditAnchors(maintenanceConfig().dataDir).retire(Date.now());
    printLine(`${rows} rows restored. Everybody has to sign in again.`);
  });
}, [BrokenDump, RestoreRefused]);
