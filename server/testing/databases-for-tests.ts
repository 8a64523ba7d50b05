/** Starts the cluster of a test run, and creates the template of its databases. It is vitest's globalSetup. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../platform/database/schema/migrate.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { type MigratedState, readMigratedState } from './emptied-database.ts';

export interface TestCluster {
  /** Address of a database of the cluster, with the role of the product. */
  readonly url: string;
  /** Address of the same database, with the superuser. */
  readonly superuserUrl: string;
  /** The name of a migrated database without connections. */
  readonly template: string;
  readonly state: MigratedState;
}

interface Project {
  provide(key: 'cluster', value: TestCluster): void;
}

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: TestCluster;
  }
}

/** Faster settings, since tests need no safety against power failures. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  max_wal_size: '4GB',
};

export async function setup(project: Project): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'patch-tests-'));
  const server = await startEmbeddedPostgres({ dataDir, settings });
  const { url, superuserUrl } = server;
  const template = 'migrated';
  const superuser = serverDatabase({ url: superuserUrl, connections: 1 });
  // Test files create databases, and empty them with triggers disabled.
  await superuser.script(
    'alter role patch_repository createdb; grant set on parameter session_replication_role to patch_repository',
  );
  await superuser.script(`create database ${template} owner patch_repository`);
  await superuser.close();
  const database = serverDatabase({ url: databaseUrl(url, template), connections: 1 });
  await migrate(database);
  project.provide('cluster', {
    url,
    superuserUrl,
    template,
    state: await readMigratedState(database),
  });
  await database.close();
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** Returns the address with another database. */
export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
