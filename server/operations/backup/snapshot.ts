/**
 * The database as it is at one moment, readable for as long as it takes while writes continue. A PostgreSQL server provides
 * such a snapshot itself. The embedded database has one session: its files are copied while writes are blocked, which is
 * short, and the copy is read.
 */
import { constants } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Session } from '../../platform/database/database.ts';
import { openEmbedded } from '../../platform/database/embedded-database.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { checkpoint, useSnapshotIsolation } from './dumped-tables-store.ts';
import { folderSize } from './folder-size.ts';

export interface SnapshotSource {
  readonly database: Database;
  /** Null: the embedded database. */
  readonly databaseUrl: string | null;
  /** The folder of the embedded database; null: in memory, or used only by this process. Then others wait until the work is done. */
  readonly dataDir: string | null;
}

export async function withSnapshot<T>(
  { database, databaseUrl, dataDir }: SnapshotSource,
  work: (tx: Session) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) {
    const own = serverDatabase({ url: databaseUrl, connections: 1, statementTimeout: 0 });
    try {
      return await oneMoment(own, work);
    } finally {
      await own.close();
    }
  }
  if (dataDir === null) return oneMoment(database, work);
  const copy = await copyOf(database, dataDir);
  try {
    const own = await openEmbedded({ dataDir: copy, onFatal: () => undefined });
    try {
      return await oneMoment(own, work);
    } finally {
      await own.close();
    }
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function oneMoment<T>(database: Database, work: (tx: Session) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await useSnapshotIsolation(tx);
    return work(tx);
  });
}

const snapshotsIn = (dataDir: string) => join(dataDir, 'snapshots');

/** Removes copies left by processes that died or were stopped before they finished. */
export async function removeSnapshots(dataDir: string): Promise<void> {
  const folder = snapshotsIn(dataDir);
  for (const name of await readdir(folder).catch(() => []))
    await rm(join(folder, name), { recursive: true, force: true });
}

/** The transaction blocks all other work; it writes nothing itself. */
async function copyOf(database: Database, dataDir: string): Promise<string> {
  const files = join(dataDir, 'database');
  await mkdir(snapshotsIn(dataDir), { recursive: true });
  await refuseFullDisk(dataDir, await folderSize(files));
  const copy = await mkdtemp(join(snapshotsIn(dataDir), 'copy-'));
  try {
    await database.transaction(async (tx) => {
      await checkpoint(tx);
      // Where the disk supports it, a copy shares its blocks with the original and is made at once.
      await cp(files, join(copy, 'database'), {
        recursive: true,
        mode: constants.COPYFILE_FICLONE,
      });
    });
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

const spare = 200 * 1024 ** 2;

async function refuseFullDisk(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed + spare)
    throw new Error(
      `The disk of DATA_DIR is too full: ${Math.ceil((needed + spare) / 1024 ** 2)} MB are needed for a while, ` +
        `${Math.floor((bavail * bsize) / 1024 ** 2)} MB are free.`,
    );
}
