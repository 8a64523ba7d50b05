/** Opens databases for store tests: copies of a migrated template on the cluster of the run. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '../platform/database/open-database.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { databaseUrl } from './databases-for-tests.ts';
import { resetDatabase } from './emptied-database.ts';

/** Opens a freshly migrated database. Each test file has one, which is emptied when it is opened again. */
export type OpenFresh = () => Promise<OpenDatabase>;

export function describeWithDatabase(name: string, tests: (open: OpenFresh) => void): void {
  describe.each([name])('%s', () => {
    tests(openOnce());
  });
}

/** Returns the function that opens the database of this test file. */
export function openOnce(): OpenFresh {
  let opened: Promise<OpenDatabase> | undefined;
  afterAll(async () => {
    await (await opened)?.close();
  });
  return async () => {
    const before = await opened;
    if (before !== undefined && (await resetDatabase(before, inject('cluster').state)))
      return before;
    await before?.close();
    return await (opened = openMigrated());
  };
}

/** Opens a separate migrated database, dropped when it is closed. */
export const openMigrated = (): Promise<OpenDatabase> =>
  openCopy(`template ${inject('cluster').template} strategy file_copy`);

/** Opens a database without tables, dropped when it is closed. */
export const openEmpty = (): Promise<OpenDatabase> => openCopy('');

async function openCopy(options: string): Promise<OpenDatabase> {
  const { url } = inject('cluster');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runMaintenance(`create database ${name} owner patch_repository ${options}`);
  const own = databaseUrl(url, name);
  const database = serverDatabase({ url: own, connections: 4 });
  return {
    ...database,
    url: own,
    pools: { searches: database, signIns: database },
    async close() {
      await database.close();
      await runMaintenance(`drop database ${name} with (force)`);
    },
  };
}

async function runMaintenance(statement: string): Promise<void> {
  // Only the superuser can drop a database during an autovacuum.
  const maintenance = serverDatabase({ url: inject('cluster').superuserUrl, connections: 1 });
  try {
    await maintenance.script(statement);
  } finally {
    await maintenance.close();
  }
}

/** Opens the embedded database of a data folder like the service, but without fsync. */
export function openInFolder(dataDir: string): Promise<OpenDatabase> {
  return openDatabase({
    dataDir,
    databaseUrl: null,
    postgresSettings: { fsync: 'off' },
  });
}
