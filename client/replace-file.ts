/** Replaces a file atomically: after a power failure it is either complete or unchanged. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function replaceFile(path: string, text: string, mode = 0o644): Promise<void> {
  const unfinished = `${path}.new`;
  const file = await open(unfinished, 'w', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}

/** Does nothing on Windows, which cannot open folders and persists renames by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
