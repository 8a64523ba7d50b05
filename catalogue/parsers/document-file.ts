/** Writes a document's bytes to a file in the system's temporary folder, for callers without a better location. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentFile } from '../definition/feed.ts';

export async function writeTemporaryFile(bytes: AsyncIterable<Uint8Array>): Promise<DocumentFile> {
  const folder = await mkdtemp(join(tmpdir(), 'document-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'document');
  try {
    await writeFile(path, bytes);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, folder, taken: () => undefined, remove };
}
