/** Reads documents from the folder of a mirror, for closed networks. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import { FailedAttempt } from './fetch-failed.ts';
import type { Upstream } from './upstream.ts';

/** Uses the size, time and inode of a file as its ETag, so that an unchanged file is not read again. */
export function folderUpstream(folder: string): Upstream {
  return {
    origin: folder,
    async request(url, cached, signal) {
      signal.throwIfAborted();
      const file = await findFile(folder, url);
      if (file === null) return { kind: 'absent' };
      const { size, mtimeMs, ino, mtime } = await stat(file);
      const etag = `"${size}-${mtimeMs}-${ino}"`;
      if (cached?.etag === etag) return { kind: 'unchanged' };
      return {
        kind: 'body',
        body: createReadStream(file, { signal }),
        length: size,
        etag,
        lastModified: mtime.toUTCString(),
      };
    },
    close() {},
  };
}

async function findFile(folder: string, url: string): Promise<string | null> {
  try {
    return await fileInMirror(folder, url);
  } catch (error) {
    throw new FailedAttempt(
      { code: 'not_in_mirror', params: {} },
      { isTransient: false, cause: error },
    );
  }
}
