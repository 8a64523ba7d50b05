/** `npm run catalogue-root -- create|renew --keys FOLDER`: makes a root of the published catalogue. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../platform/database/schema/migrate.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { printLine, runCommand } from '../../platform/maintenance/maintenance-command.ts';
import {
  maintenanceConfig,
  withMaintenanceDatabase,
} from '../../platform/maintenance/maintenance-database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { secretKey } from '../../platform/secrets/secret-key.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { createRoot, renewRoot } from './make-root.ts';
import { treeSecret } from './tree-keys.ts';
import { treeFolder } from './tree-place.ts';

const usage = `Give create or renew, and the folder of the root keys:

  npm run catalogue-root -- create --keys FOLDER [--count 3] [--threshold 2] [--years 3]
    Makes root keys in the folder and the first root, which names the service's own keys.
  npm run catalogue-root -- renew --keys FOLDER [--years 3] [--new-service-keys]
    Makes the next root: after a restored backup, before a root expires, with another secret key.
    --new-service-keys: others may know the service's keys.`;

await runCommand(async () => {
  const { verb, keysFolder, count, threshold, years, newKeys } = readOptions();
  const config = maintenanceConfig();
  const folder = treeFolder(config);
  if (folder === null)
    throw new StartupError('PUBLISH_TO is not set: it says where the catalogue is published.');
  const whenLost = () => 'No root was made. Run the command again.';
  await withMaintenanceDatabase({ make: false, whenLost }, async ({ database }) => {
    await migrate(database);
    const { epoch } = await readChangeStates(database);
    const secret = treeSecret(secretBox(secretKey(config)));
    const expires = Date.now() + years * 365 * 24 * 3_600_000;
    const parts = { folder, keysFolder, secret, epoch, expires };
    const { version, signedBy } =
      verb === 'create'
        ? await createRoot(parts, { count, threshold })
        : await renewRoot(parts, { newKeys });
    printLine(`Root ${version} was made, signed by ${signedBy.join(', ')}.`);
    printLine(
      `Take ${keysFolder} away from this machine: who has ${verb === 'create' ? threshold : 'enough'} of these keys can publish in its place.`,
    );
  });
});

function readOptions() {
  const { values, positionals } = parse();
  const [verb, ...more] = positionals;
  if ((verb !== 'create' && verb !== 'renew') || more.length > 0 || values.keys === undefined)
    throw new StartupError(usage);
  const count = integer('--count', values.count, 1, 20);
  return {
    verb,
    keysFolder: resolve(process.cwd(), values.keys),
    count,
    threshold: integer('--threshold', values.threshold, 1, count),
    years: integer('--years', values.years, 1, 20),
    newKeys: values['new-service-keys'] === true,
  };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        keys: { type: 'string' },
        count: { type: 'string', default: '3' },
        threshold: { type: 'string', default: '2' },
        years: { type: 'string', default: '3' },
        'new-service-keys': { type: 'boolean' },
      },
    });
  } catch {
    throw new StartupError(usage);
  }
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new StartupError(`${name} must be a whole number from ${least} to ${most}.`);
}
