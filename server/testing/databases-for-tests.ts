/** Makes what the tests' databases are copied from, once for a whole test run; vitest's globalSetup. */
import { migrate } from '../platform/database/migrate.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import type { MigratedServer } from './databases.ts';
import { migratedState } from './emptied-database.ts';
import { type MigratedArchive, migratedArchive } from './migrated-archive.ts';
import { findBinaries, startCluster } from './postgres-cluster.ts';

interface Project {
  provide(key: 'postgresUrl', value: string | null): void;
  provide(key: 'migratedServer', value: MigratedServer | null): void;
  provide(key: 'migratedArchive', value: MigratedArchive): void;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string | null;
    migratedServer: MigratedServer | null;
    migratedArchive: MigratedArchive;
  }
}

export async function setup(project: Project): Promise<() => Promise<void>> {
  const binaries = findBinaries();
  if (binaries === null && process.env['CI'] === 'true') {
    throw new Error('The tests on PostgreSQL need its binaries: apt-get install postgresql');
  }
  project.provide('migratedArchive', await migratedArchive());
  const cluster = binaries === null ? null : await startCluster(binaries);
  project.provide('postgresUrl', cluster?.url ?? null);
  project.provide('migratedServer', cluster === null ? null : await migratedOn(cluster.url));
  return async () => cluster?.stop();
}

async function migratedOn(url: string): Promise<MigratedServer> {
  const template = 'migrated';
  const maintenance = serverDatabase({ url, connections: 1 });
  await maintenance.script(`create database ${template}`);
  await maintenance.close();
  const address = new URL(url);
  address.pathname = `/${template}`;
  const database = serverDatabase({ url: address.href, connections: 1 });
  await migrate(database);
  const state = await migratedState(database);
  await database.close();
  return { url, template, state };
}
