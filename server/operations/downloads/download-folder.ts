/** DATA_DIR/downloads: the files of jobs, and the folder's own id, by which its jobs are recognized. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { partialFileSuffix } from '../../platform/files/atomic-file.ts';

export class DownloadFolder {
  /** The id of the folder. Processes that share the folder share its jobs. */
  readonly place: string;
  readonly folder: string;
  readonly filePath = (jobId: number): string => join(this.folder, `job-${jobId}.gz`);

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'downloads');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.place = readOrCreateId(join(this.folder, 'place.id'));
  }

  /** Returns the path for an incomplete upload. */
  newUpload(): string {
    return join(this.folder, `upload-${randomUUID()}`);
  }

  usedBytes(): Promise<number> {
    return folderSize(this.folder);
  }

  /** Also deletes the unfinished file of a thread that was terminated. */
  async remove(jobId: number): Promise<void> {
    const path = this.filePath(jobId);
    for (const file of [path, `${path}${partialFileSuffix}`]) await rm(file, { force: true });
  }

  /** Deletes files that belong to none of these jobs, such as unfinished files of a dead process. */
  async sweep(jobIds: ReadonlySet<number>): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const job = /^job-(\d+)\.gz$/.exec(name)?.[1];
      const ours = job !== undefined && jobIds.has(Number(job));
      if (!ours && /^(job|upload)-/.test(name)) await rm(join(this.folder, name), { force: true });
    }
  }
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

/** Returns 0 for a missing folder, and skips files that are deleted meanwhile. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return bytes;
}
