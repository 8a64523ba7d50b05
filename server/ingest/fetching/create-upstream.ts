/** Selects the mirror of a source, and creates the upstream that it or FEED_MIRROR states: a folder, an address, or the vendors. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import type { RunMirror } from '@patch/contract/sources/run-message.ts';
import { withoutCredentials } from '../../platform/secrets/without-credentials.ts';
import { httpUpstream } from './http-upstream.ts';
import { FailedAttempt, type Upstream } from './upstream.ts';

/** @param feedMirror the folder or the address of a mirror; null for the vendors */
export function createUpstream(feedMirror: string | null): Upstream {
  return feedMirror !== null && !/^https?:\/\//i.test(feedMirror)
    ? folderUpstream(feedMirror)
    : httpUpstream(feedMirror);
}

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
    throw new FailedAttempt({ code: 'not_in_mirror', params: {} }, { cause: error });
  }
}

interface MirrorSettings {
  /** Mirror of the source. */
  readonly source: string | null;
  /** FEED_MIRROR: an http(s) address or a folder. */
  readonly environment: string | null;
  /** Mirror of the configuration, which the environment overrides. */
  readonly configuration: string | null;
}

interface EffectiveMirror extends RunMirror {
  /** Includes the password. Use it only for requests. */
  readonly secretAddress: string;
}

/** Returns null when documents come from the vendor itself. */
export function getEffectiveMirror(settings: MirrorSettings): EffectiveMirror | null {
  const { source, environment, configuration } = settings;
  if (source !== null) return createMirror(source, 'source');
  if (environment !== null) return createMirror(environment, 'environment');
  return configuration === null ? null : createMirror(configuration, 'configuration');
}

const createMirror = (secretAddress: string, setting: RunMirror['setting']): EffectiveMirror => ({
  secretAddress,
  address: withoutCredentials(secretAddress),
  setting,
});
