/** DATA_DIR/downloads: the files of jobs, each named by its job, and the name of the folder itself, by which its jobs are known to be its own. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folderSize } from '../backup/folder-size.ts';

export interface DownloadFolder {
  /** Jobs are of one place: the processes that share the folder. */
  readonly place: string;
  readonly folder: string;
  readonly fileOf: (jobId: number) => string;
  /** An upload before it is known to be whole. */
  newUpload(): string;
  readonly usedBytes: () => Promise<number>;
  remove(jobId: number): Promise<void>;
  /** Files that belong to none of these jobs, what a dead process was writing among them. */
  sweep(jobIds: ReadonlySet<number>): Promise<void>;
}

export function openDownloadFolder(dataDir: string): DownloadFolder {
  const folder = join(dataDir, 'downloads');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (jobId: number) => join(folder, `job-${jobId}.gz`);
  return {
    place: placeOf(join(folder, 'place.id')),
    folder,
    fileOf,
    newUpload: () => join(folder, `upload-${randomUUID()}`),
    usedBytes: () => folderSize(folder),
    remove: (jobId) => rm(fileOf(jobId), { force: true }),
    async sweep(jobIds) {
      for (const name of await readdir(folder)) {
        const job = /^job-(\d+)\.gz$/.exec(name)?.[1];
        const ours = job !== undefined && jobIds.has(Number(job));
        if (!ours && /^(job|upload)-/.test(name)) await rm(join(folder, name), { force: true });
      }
    },
  };
}

function placeOf(file: string): string {
  try {
    writeFileSync(file, randomUUID(), { flag: 'wx' });
  } catch (error) {
    // It was given its name before.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
