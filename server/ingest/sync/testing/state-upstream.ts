/** Serves a published state like a vendor: each file with its checksum as ETag, and 304 when the client has it. */
import { bytesOf, sumOf } from '@patch/catalogue/testing/successors/packed-content.ts';
import {
  type PublishedState,
  pathOf,
} from '@patch/catalogue/testing/successors/published-state.ts';
import type { Upstream } from '../upstream.ts';

/** All states of a vendor come from the same address. */
export function stateUpstream({ files }: PublishedState): Upstream {
  return {
    origin: 'memory:',
    async ask(url, have, signal) {
      signal.throwIfAborted();
      const path = pathOf(files, url);
      const file = path === null ? undefined : files.get(path);
      if (file === undefined) return { kind: 'absent' };
      const body = bytesOf(file);
      const etag = `"${sumOf(body, 'sha256')}"`;
      if (have?.etag === etag) return { kind: 'unchanged' };
      async function* served() {
        yield body;
      }
      return { kind: 'body', body: served(), length: body.length, etag, lastModified: null };
    },
    close() {},
  };
}
