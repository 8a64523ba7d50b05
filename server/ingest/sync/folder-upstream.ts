/** Documents out of a mirror's folder, for closed networks. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import { FailedAttempt } from './fetch-failed.ts';
import type { Upstream } from './upstream.ts';

/** A file's size and time stand for its ETag: while they are the same, it is not read again. */
export function folderUpstream(folder: string): Upstream {
  return {
    origin: folder,
    async ask(url, have, signal) {
      signal.throwIfAborted();
      const file = await found(folder, url);
      if (file === null) return { kind: 'absent' };
      const { size, mtimeMs, ino, mtime } = await stat(file);
      const etag = `"${size}-${mtimeMs}-${ino}"`;
      if (have?.etag === etag) return { kind: 'unchanged' };
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

async function found(folder: string, url: string): Promise<string | null> {
  try {
    return await fileInMirror(folder, url);
  } catch (error) {
    throw new FailedAttempt(
      { code: 'not_in_mirror', params: {} },
      { passing: false, cause: error },
    );
  }
}
