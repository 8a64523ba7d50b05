/** The database that is measured: the service's own PostgreSQL in a folder of its own. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@patch/server/platform/database/database.ts';
import {
  type OpenDatabase,
  openDatabase,
} from '@patch/server/platform/database/schema/open-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { type RunningService, startService } from './bench-service.ts';
import { type Usage, usageOfTrees } from './process-usage.ts';

export interface BenchDatabase {
  /** Opens the database without the service, which must not run meanwhile. */
  open(): Promise<Database>;
  start(
    environment?: Readonly<Record<string, string>>,
    onLine?: (line: string) => void,
  ): Promise<RunningService>;
  /** Returns the usage of the service and of PostgreSQL together. */
  usage(service: RunningService): Promise<Usage>;
  /** Seconds that loading took; null without records to load. */
  readonly loadSeconds: number | null;
}

/** Records that are in the database before the measurement. */
export interface Load {
  /** Names the folder in which the loaded database is kept for the next run. */
  readonly name: string;
  readonly load: (database: Database) => Promise<void>;
}

/** Measures on a copy, so that a loaded database stays as it is. */
export async function withDatabase<Result>(
  { cache }: BenchOptions,
  load: Load | null,
  measure: (database: BenchDatabase) => Promise<Result>,
): Promise<Result> {
  const dataDir = join(cache, 'measured');
  await rm(dataDir, { recursive: true, force: true });
  try {
    let loadSeconds: number | null = null;
    if (load !== null) {
      const loaded = join(cache, 'loaded', load.name);
      loadSeconds = await loadOnce(loaded, load);
      await cp(loaded, dataDir, { recursive: true });
    } else await mkdir(dataDir, { recursive: true });
    return await measure({
      loadSeconds,
      open: () => open(dataDir),
      start: (environment, onLine) => startService({ ...environment, DATA_DIR: dataDir }, onLine),
      usage: ({ pid }) => usageOfTrees([pid]),
    });
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
  const database = await open(folder);
  const since = performance.now();
  await load(database);
  await database.close();
  const taken = (performance.now() - since) / 1000;
  await writeFile(mark, String(taken));
  return taken;
}

function open(dataDir: string): Promise<OpenDatabase> {
  return openDatabase({
    dataDir,
    databaseUrl: null,
  });
}
