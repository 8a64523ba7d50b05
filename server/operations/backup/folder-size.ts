/** What the files of a folder take, those of its folders included. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** 0 of a folder that is not there; files that go meanwhile are passed over. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return bytes;
}
