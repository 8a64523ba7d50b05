/** Creates the upstream for FEED_MIRROR: the folder or address of a mirror, or the vendors when it is null. */
import { folderUpstream } from './folder-upstream.ts';
import { httpUpstream } from './http-upstream.ts';
import type { Upstream } from './upstream.ts';

export function createUpstream(feedMirror: string | null): Upstream {
  return feedMirror !== null && !/^https?:\/\//i.test(feedMirror)
    ? folderUpstream(feedMirror)
    : httpUpstream(feedMirror);
}
