/** The folder of the copy: one client at a time uses it, and its identity is stored in a file that no other user can read. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { ClientFailure } from './client-failure.ts';

/** A token is valid only for the repository that issued it, and is sent to no other. */
const Identity = z.object({
  server: z.string(),
  token: z.string(),
  clientId: z.number(),
  clientName: z.string(),
});
export type Identity = z.infer<typeof Identity>;

const identityFile = (folder: string) => join(folder, 'client.json');

/** Returns null when the client is not activated at this repository. */
export async function readIdentity(folder: string, server: string): Promise<Identity | null> {
  const text = await readFile(identityFile(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const identity = Identity.parse(JSON.parse(text));
    return identity.server === server ? identity : null;
  } catch {
    return null;
  }
}

export async function writeIdentity(folder: string, identity: Identity): Promise<void> {
  await replaceFile(identityFile(folder), `${JSON.stringify(identity)}\n`, 0o600);
}

/**
 * Returns a function that releases the folder. The lock is the operating system's lock on a file, taken through Node's SQLite: it ends with
 * the process, even when that is killed, whichever process gets its number then.
 */
export function lockFolder(folder: string): () => void {
  const holder = join(folder, 'client.lock');
  try {
    mkdirSync(folder, { recursive: true });
    const lock = new DatabaseSync(join(folder, 'client-lock.db'));
    try {
      lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive');
      writeFileSync(holder, String(process.pid));
    } catch (error) {
      lock.close();
      throw error;
    }
    return () => {
      rmSync(holder, { force: true });
      lock.close();
    };
  } catch (error) {
    const isBusy = (error as { errcode?: unknown }).errcode === busy;
    throw new ClientFailure(
      'folder',
      isBusy
        ? `${folder} is used by another client, process ${readHolder(holder)}.`
        : `${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

/** SQLITE_BUSY: another process has the lock. */
const busy = 5;

/** The process that has just taken the lock may have written no number yet. */
function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'unknown';
  }
}

/** Replaces a file atomically: after a power failure it is either complete or unchanged. */
export async function replaceFile(
  path: string,
  content: string | readonly Uint8Array[],
  mode = 0o644,
): Promise<void> {
  const unfinished = `${path}.new`;
  const file = await open(unfinished, 'w', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(content);
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
