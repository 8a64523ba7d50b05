/** The databases that are measured: the embedded one in a folder of its own, and a temporary PostgreSQL server. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@patch/server/platform/database/database.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { findBinaries, startCluster } from '@patch/server/testing/postgres-cluster.ts';
import { z } from 'zod';
import type { BenchOptions } from './bench-options.ts';
import { type RunningService, startService } from './bench-service.ts';
import { parentOf, type Usage, usageOfTrees } from './process-usage.ts';

export interface BenchDatabase {
  readonly name: string;
  /** Opens the database without the service, which must not run on the embedded one meanwhile. */
  open(): Promise<Database>;
  start(
    environment?: Readonly<Record<string, string>>,
    onLine?: (line: string) => void,
  ): Promise<RunningService>;
  /** Returns the usage of the service and of the database's server together. */
  usage(service: RunningService): Promise<Usage>;
  /** Seconds that loading took; null without records to load. */
  readonly loadSeconds: number | null;
}

/** Records that are in the database before the measurement. */
export interface Load {
  /** Names the folder in which the loaded embedded database is kept for the next run. */
  readonly name: string;
  readonly load: (database: Database) => Promise<void>;
}

/** Measures the databases that are chosen and installed, one after the other. */
export async function onDatabases<Result>(
  { cache, database: chosen, say }: BenchOptions,
  load: Load | null,
  measure: (database: BenchDatabase) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  if (chosen !== 'postgres') results.push(await onEmbedded(cache, load, measure));
  if (chosen === 'embedded') return results;
  const binaries = findBinaries();
  if (binaries === null) say('PostgreSQL is not measured: no server binaries are installed.');
  else results.push(await onServer(binaries, cache, load, measure));
  return results;
}

/** Measures on a copy, so that a loaded database stays as it is. */
async function onEmbedded<Result>(
  cache: string,
  load: Load | null,
  measure: (database: BenchDatabase) => Promise<Result>,
): Promise<Result> {
  const dataDir = join(cache, 'embedded');
  await rm(dataDir, { recursive: true, force: true });
  try {
    let loadSeconds: number | null = null;
    if (load !== null) {
      const loaded = join(cache, 'loaded', load.name);
      loadSeconds = await loadOnce(loaded, load);
      await cp(loaded, dataDir, { recursive: true });
    } else await mkdir(dataDir, { recursive: true });
    return await measure(benchDatabase('Embedded', dataDir, null, null, loadSeconds));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the seconds of the load, of an earlier run where the folder is loaded already. */
async function loadOnce(folder: string, { load }: Load): Promise<number> {
  const mark = `${folder}-seconds`;
  const seconds = await readFile(mark, 'utf8').catch(() => null);
  if (seconds !== null) return Number(seconds);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const taken = await loadInto(await openDatabase({ dataDir: folder, databaseUrl: null }), load);
  await writeFile(mark, String(taken));
  return taken;
}

async function loadInto(database: Database, load: Load['load']): Promise<number> {
  const since = performance.now();
  await load(database);
  await database.close();
  return (performance.now() - since) / 1000;
}

async function onServer<Result>(
  binaries: string,
  cache: string,
  load: Load | null,
  measure: (database: BenchDatabase) => Promise<Result>,
): Promise<Result> {
  const cluster = await startCluster(binaries, {
    shared_buffers: '256MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
  });
  const dataDir = join(cache, 'server');
  await mkdir(dataDir, { recursive: true });
  try {
    const database = await openDatabase({ dataDir, databaseUrl: cluster.url });
    const [row] = await queryRows(
      database,
      z.object({ pid: z.number() }),
      'select pg_backend_pid() as pid',
    );
    const postmaster = await parentOf(row?.pid ?? 0);
    const seconds = load === null ? null : await loadInto(database, load.load);
    if (load === null) await database.close();
    return await measure(benchDatabase('PostgreSQL', dataDir, cluster.url, postmaster, seconds));
  } finally {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function benchDatabase(
  name: string,
  dataDir: string,
  databaseUrl: string | null,
  postmaster: number | null,
  loadSeconds: number | null,
): BenchDatabase {
  const own = { DATA_DIR: dataDir, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
  return {
    name,
    loadSeconds,
    open: () => openDatabase({ dataDir, databaseUrl }),
    start: (environment, onLine) => startService({ ...environment, ...own }, onLine),
    usage: ({ pid }) => usageOfTrees(postmaster === null ? [pid] : [pid, postmaster]),
  };
}
