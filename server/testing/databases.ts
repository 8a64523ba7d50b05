/** Databases for store tests: PGlite in memory, or a throw-away PostgreSQL server. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { type EmbeddedDatabase, openEmbedded } from '../platform/database/embedded-database.ts';
import { migrate } from '../platform/database/migrate.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { emptyAgain, type MigratedState, migratedState } from './emptied-database.ts';

/** Answers a database as the migrations make it. Each is started once a test file, so the next call takes the last one's rows away. */
export type OpenFresh = () => Promise<Database>;

/** Runs store tests once, on the embedded database; with TEST_DATABASE=postgresql on a PostgreSQL server. */
export function describeWithDatabase(name: string, tests: (open: OpenFresh) => void): void {
  if (process.env['TEST_DATABASE'] === 'postgresql') describeOnServer(name, tests);
  else
    describe(name, () => {
      tests(startedOnce(openMigrated, inject('migratedArchive').state));
    });
}

/** Runs tests whose subject differs on a PostgreSQL server (concurrency, locks, roles) there. Without a server they are skipped; in CI the run does not begin without it. */
export function describeOnServer(name: string, tests: (open: OpenFresh) => void): void {
  const server = inject('migratedServer');
  describe.skipIf(server === null)(name, () => {
    if (server !== null) tests(startedOnce(() => copyOf(server), server.state));
  });
}

/** The embedded database in memory, migrated. */
export function openMigrated(): Promise<EmbeddedDatabase> {
  return openEmbedded({ dataDir: null, archive: inject('migratedArchive').file });
}

function startedOnce(start: () => Promise<Database>, migrated: MigratedState): OpenFresh {
  let started: Promise<Database> | undefined;
  let state = migrated;
  afterAll(async () => {
    await (await started)?.close();
  });
  return async () => {
    if (started === undefined) return await (started = start());
    const database = await started;
    if (!(await emptyAgain(database, state))) {
      await database.script('drop schema public cascade; create schema public');
      await migrate(database);
      state = await migratedState(database);
    }
    return database;
  };
}

export interface MigratedServer {
  readonly url: string;
  /** The name of a database on it that is migrated and that nobody is connected to. */
  readonly template: string;
  readonly state: MigratedState;
}

async function copyOf({ url, template }: MigratedServer): Promise<Database> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const maintenance = serverDatabase({ url, connections: 1 });
  await maintenance.script(`create database ${name} template ${template}`);
  await maintenance.close();
  const address = new URL(url);
  address.pathname = `/${name}`;
  return serverDatabase({ url: address.href, connections: 4 });
}
