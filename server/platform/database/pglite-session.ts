/** Opens the embedded PostgreSQL in a folder, with the settings this product measures and promises by. Runs in the database thread. */
import { closeSync, fsyncSync, openAsBlob, openSync } from 'node:fs';
import { PGlite, types as pgTypes } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const settings: Record<string, string> = {
  shared_buffers: '32MB',
  work_mem: '32MB',
  maintenance_work_mem: '64MB',
  // The files are in the machine's page cache, a page out of order costs hardly more than the next one.
  random_page_cost: '1.1',
  effective_cache_size: '2GB',
  jit: 'off',
  max_wal_size: '1GB',
  default_statistics_target: '100',
  // Commits are forced to disk. fdatasync is a no-op in this build, fsync reaches the file system's operation below.
  wal_sync_method: 'fsync',
};

/** Null: in memory. `archive` is the file of a `dumpDataDir`, with which a new database begins. */
export async function openPglite(
  folder: string | null,
  archive: string | null = null,
): Promise<PGlite> {
  const given = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F');
  const startParams = [
    ...given,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const pglite = await PGlite.create({
    ...(folder !== null && { dataDir: folder }),
    ...(archive !== null && { loadDataDir: await openAsBlob(archive) }),
    extensions: { pg_trgm },
    startParams,
    relaxedDurability: false,
    parsers: { [pgTypes.INT8]: Number, [pgTypes.NUMERIC]: Number },
  });
  if (folder !== null) forceToDisk(pglite, folder);
  return pglite;
}

interface NodeFiles {
  readonly stream_ops: { fsync?: (stream: { readonly nfd?: number }) => void };
}

/** PGlite's file system on Node has no fsync and says that it succeeded. This gives it one, so that commits survive a power cut. */
function forceToDisk(pglite: PGlite, folder: string): void {
  const files = (pglite.Module as unknown as { NODEFS?: NodeFiles }).NODEFS;
  if (files === undefined)
    throw new Error(
      'This PGlite does not keep its files as expected: commits could not be forced to disk.',
    );
  files.stream_ops.fsync = ({ nfd }) => {
    if (nfd !== undefined) fsyncSync(nfd);
  };
  // A new database's own folder entry.
  const entry = openSync(folder, 'r');
  try {
    fsyncSync(entry);
  } finally {
    closeSync(entry);
  }
}
