/** The folder of the copy: one client at a time uses it, and its identity is stored in a file that no other user can read. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@patch/contract/base/error-code.ts';
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

/** Returns a function that releases the folder. The lock of a dead process is taken over. */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, 'client.lock');
  try {
    mkdirSync(folder, { recursive: true });
    for (let attempt = 0; ; attempt += 1) {
      try {
        const file = openSync(lock, 'wx');
        writeSync(file, String(process.pid));
        closeSync(file);
        return () => rmSync(lock, { force: true });
      } catch (error) {
        const holder = errorCode(error) === 'EEXIST' ? readHolder(lock) : null;
        if (holder === null || attempt > 0) throw error;
        if (isAlive(holder))
          throw new ClientFailure(
            'folder',
            `${folder} is used by another client, process ${holder}.`,
          );
        rmSync(lock, { force: true });
      }
    }
  } catch (error) {
    if (error instanceof ClientFailure) throw error;
    throw new ClientFailure(
      'folder',
      `${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** Returns 0 for an empty lock: its process died while writing it. */
function readHolder(lock: string): number {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  if (pid === 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
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
