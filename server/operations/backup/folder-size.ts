/** The size of all files in a folder and its subfolders. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns 0 for a missing folder, and skips files that are deleted meanwhile. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return bytes;
}
