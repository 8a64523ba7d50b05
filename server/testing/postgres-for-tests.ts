/** Starts one throw-away PostgreSQL cluster for a whole test run; vitest's globalSetup. */
import { findBinaries, startCluster } from './postgres-cluster.ts';

interface Project {
  provide(key: 'postgresUrl', value: string | null): void;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string | null;
  }
}

export async function setup(project: Project): Promise<() => Promise<void>> {
  const binaries = findBinaries();
  if (binaries === null && process.env['CI'] === 'true') {
    throw new Error('The tests on PostgreSQL need its binaries: apt-get install postgresql');
  }
  const cluster = binaries === null ? null : await startCluster(binaries);
  project.provide('postgresUrl', cluster?.url ?? null);
  return async () => cluster?.stop();
}
