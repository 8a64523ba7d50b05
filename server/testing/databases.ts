/** Runs store tests on both databases: PGlite in memory, and a throw-away PostgreSQL server. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { openEmbedded } from '../platform/database/embedded-database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { serverDatabase } from '../platform/database/server-database.ts';

/** Answers a database with freshly made tables. Each is started once a test file, so the next call takes the last one's rows away. */
export type OpenFresh = () => Promise<Database>;

/** Where no PostgreSQL server can be had its tests are reported as skipped; in CI the run does not begin without it. */
export function describeOnDatabases(name: string, tests: (open: OpenFresh) => void): void {
  const url = inject('postgresUrl');
  describe(`${name}, embedded`, () => {
    tests(startedOnce(() => openEmbedded({ dataDir: null })));
  });
  describe.skipIf(url === null)(`${name}, PostgreSQL server`, () => {
    tests(startedOnce(() => emptyDatabaseOn(url ?? '')));
  });
}

function startedOnce(start: () => Promise<Database>): OpenFresh {
  let started: Promise<Database> | undefined;
  afterAll(async () => {
    await (await started)?.close();
  });
  return async () => {
    started ??= start();
    const database = await started;
    await database.script('drop schema public cascade; create schema public');
    await migrate(database);
    return database;
  };
}

async function emptyDatabaseOn(url: string): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const maintenance = serverDatabase({ url, connections: 1 });
  await maintenance.script(`create database ${name}`);
  await maintenance.close();
  const address = new URL(url);
  address.pathname = `/${name}`;
  return serverDatabase({ url: address.href, connections: 4 });
}
