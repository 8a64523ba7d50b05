/** Reads the OpenPGP keys that an administrator trusts for a source: armored files DATA_DIR/trusted-keys/<source>/<name>.asc. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function readTrustedKeys(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const armored = names.filter((name) => name.endsWith('.asc')).toSorted();
  return Promise.all(armored.map((name) => readFile(join(folder, name), 'utf8')));
}
