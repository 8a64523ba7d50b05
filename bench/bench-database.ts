/** The databases that are measured: PGlite in a folder that keeps its rows, and a PostgreSQL server that starts empty. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Database } from '@patch/server/platform/database/database.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';
import { findBinaries, startCluster } from '@patch/server/testing/postgres-cluster.ts';
import type { BenchRun } from './bench-run.ts';
import { loadCatalogue } from './load-catalogue.ts';

export interface BenchDatabase {
  readonly name: string;
  /** For the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** For what is measured without the service. */
  readonly open: () => Promise<Database>;
  /** A file that says that the rows are there; null: they never are. */
  readonly loaded: string | null;
}

export type Bench<Result> = (database: BenchDatabase) => Promise<Result>;

/** Runs on the embedded database. */
export type OnFolder = <Result>(run: BenchRun, bench: Bench<Result>) => Promise<Result>;

/** Measures the databases that were asked for and are installed, one after the other. */
export async function onEach<Result>(
  run: BenchRun,
  bench: Bench<Result>,
  onFolder: OnFolder = onEmbedded,
): Promise<readonly Result[]> {
  const results = [
    ...(run.only === 'postgres' ? [] : [await onFolder(run, bench)]),
    ...(run.only === 'pglite' ? [] : [await onServer(run, bench)]),
  ];
  return results.filter((result) => result !== null);
}

/** A folder of that name in the cache, which is empty before and removed afterwards. */
export const onEmptyFolder =
  (name: string): OnFolder =>
  async ({ cache }, bench) => {
    const dataDir = `${cache}/${name}`;
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { recursive: true });
    try {
      return await bench(embeddedIn(dataDir, null));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  };

/** The folder is kept for the next run once it is loaded. */
export async function onEmbedded<Result>(
  { cache, rows }: BenchRun,
  bench: Bench<Result>,
): Promise<Result> {
  const dataDir = `${cache}/embedded-${rows}`;
  const loaded = `${dataDir}/loaded`;
  if (!existsSync(loaded)) await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  return bench(embeddedIn(dataDir, loaded));
}

export function embeddedIn(dataDir: string, loaded: string | null): BenchDatabase {
  return {
    name: 'Embedded PGlite',
    environment: { DATA_DIR: dataDir },
    open: () => openDatabase({ dataDir, databaseUrl: null }),
    loaded,
  };
}

/** Null where no server binaries are installed. */
export async function onServer<Result>(
  { cache, say }: BenchRun,
  bench: Bench<Result>,
): Promise<Result | null> {
  const binaries = findBinaries();
  if (binaries === null) {
    say('PostgreSQL is not measured: no server binaries are installed');
    return null;
  }
  const cluster = await startCluster(binaries, {
    shared_buffers: '256MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
  });
  const dataDir = `${cache}/server`;
  await mkdir(dataDir, { recursive: true });
  try {
    return await bench({
      name: 'PostgreSQL server',
      environment: { DATA_DIR: dataDir, DATABASE_URL: cluster.url },
      open: () => openDatabase({ dataDir, databaseUrl: cluster.url }),
      loaded: null,
    });
  } finally {
    await cluster.stop();
  }
}

/** Writes the rows of the searched lists unless they are there. */
export async function loadLists(
  { rows, say }: BenchRun,
  { open, loaded }: BenchDatabase,
): Promise<void> {
  const database = await open();
  if (loaded === null || !existsSync(loaded)) await loadCatalogue(database, rows, say);
  if (loaded !== null) await writeFile(loaded, '');
  await database.close();
}
