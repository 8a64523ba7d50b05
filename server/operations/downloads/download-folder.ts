/** DATA_DIR/downloads: the files of jobs, and the folder's own id, by which its jobs are recognized. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folderSize } from '../backup/folder-size.ts';

export interface DownloadFolder {
  /** The id of the folder. Processes that share the folder share its jobs. */
  readonly place: string;
  readonly folder: string;
  readonly filePath: (jobId: number) => string;
  /** Returns the path for an incomplete upload. */
  newUpload(): string;
  readonly usedBytes: () => Promise<number>;
  remove(jobId: number): Promise<void>;
  /** Deletes files that belong to none of these jobs, such as unfinished files of a dead process. */
  sweep(jobIds: ReadonlySet<number>): Promise<void>;
}

export function openDownloadFolder(dataDir: string): DownloadFolder {
  const folder = join(dataDir, 'downloads');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const filePath = (jobId: number) => join(folder, `job-${jobId}.gz`);
  return {
    place: readOrCreateId(join(folder, 'place.id')),
    folder,
    filePath,
    newUpload: () => join(folder, `upload-${randomUUID()}`),
    usedBytes: () => folderSize(folder),
    remove: (jobId) => rm(filePath(jobId), { force: true }),
    async sweep(jobIds) {
      for (const name of await readdir(folder)) {
        const job = /^job-(\d+)\.gz$/.exec(name)?.[1];
        const ours = job !== undefined && jobIds.has(Number(job));
        if (!ours && /^(job|upload)-/.test(name)) await rm(join(folder, name), { force: true });
      }
    },
  };
}

function readOrCreateId(file: string): string {
  try {
    writeFileSync(file, randomUUID(), { flag: 'wx' });
  } catch (error) {
    // The id exists already.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
