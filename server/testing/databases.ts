/** Opens databases for store tests: copies of a migrated template on the cluster of the run. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import { z } from 'zod';
import { queryRows } from '../platform/database/query-rows.ts';
import { type OpenDatabase, openDatabase } from '../platform/database/schema/open-database.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { databaseUrl } from './databases-for-tests.ts';
import { resetDatabase } from './emptied-database.ts';

const SizeRow = z.object({ bytes: z.number() });

/** Opens a freshly migrated database. Each test file has one, which is emptied when it is opened again. */
export type OpenFresh = () => Promise<OpenDatabase>;

export function describeWithDatabase(name: string, tests: (open: OpenFresh) => void): void {
  describe.each([name])('%s', () => {
    tests(openOnce());
  });
}

/** Names of databases whose test files have ended, for the next files of this worker: each creation takes 0.3 s. */
const free: string[] = [];
/** Dead rows of a larger database would slow the next file down. */
const maxFreeBytes = 64 * 1024 ** 2;

/** Returns the function that opens the database of this test file. */
export function openOnce(): OpenFresh {
  let opened: Promise<TestDatabase> | undefined;
  afterAll(async () => {
    await (await opened)?.release();
  });
  return async () => {
    const before = await opened;
    const { state } = inject('cluster');
    if (before !== undefined && (await resetDatabase(before, state))) return before;
    await before?.close();
    const name = free.pop();
    if (name !== undefined) {
      const reused = openExisting(name);
      if (await resetDatabase(reused, state)) return await (opened = Promise.resolve(reused));
      await reused.close();
    }
    return await (opened = openCopy(toTemplateClause()));
  };
}

const toTemplateClause = () => `template ${inject('cluster').template} strategy file_copy`;

/** Opens a separate migrated database, dropped when it is closed. */
export const openMigrated = (): Promise<OpenDatabase> => openCopy(toTemplateClause());

/** Opens a database without tables, dropped when it is closed. */
export const openEmpty = (): Promise<OpenDatabase> => openCopy('');

interface TestDatabase extends OpenDatabase {
  /** Closes the connections, and leaves the database to the next file of this worker. */
  release(): Promise<void>;
}

async function openCopy(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runMaintenance(`create database ${name} owner patch_repository ${options}`);
  return openExisting(name);
}

function openExisting(name: string): TestDatabase {
  const url = databaseUrl(inject('cluster').url, name);
  const database = serverDatabase({ url, connections: 4 });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await database.close();
    await runMaintenance(`drop database ${name} with (force)`);
  };
  return {
    ...database,
    url,
    pools: { searches: database, signIns: database },
    close,
    async release() {
      if (!isOpen) return;
      const [row] = await queryRows(
        database,
        SizeRow,
        'select pg_database_size(current_database()) as bytes',
      );
      if (row === undefined || row.bytes > maxFreeBytes) return close();
      isOpen = false;
      await database.close();
      await runMaintenance(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      free.push(name);
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
