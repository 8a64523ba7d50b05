/** Serves files like a vendor, with their checksum as ETag and conditional replies. */
import { pathInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { FixtureFiles } from '@patch/catalogue/testing/fixture-files.ts';
import type { Upstream } from '../fetching/upstream.ts';

/** Creates an upstream. Its origin is the same for all publications of a vendor. */
export function filesUpstream(files: FixtureFiles): Upstream {
  return {
    origin: 'memory:',
    async request(url, have, signal) {
      signal.throwIfAborted();
      const content = files[pathInMirror(url)];
      if (content === undefined) return { kind: 'absent' };
      const body = Buffer.from(content);
      const etag = `"${sha256Hex(body)}"`;
      if (have?.etag === etag) return { kind: 'unchanged' };
      async function* served() {
        yield body;
      }
      return { kind: 'body', body: served(), length: body.length, etag, lastModified: null };
    },
    close() {},
  };
}
