/** The upstream that FEED_MIRROR names: a mirror's folder, a mirror's address, or the vendors themselves. */
import { folderUpstream } from './folder-upstream.ts';
import { httpUpstream } from './http-upstream.ts';
import type { Upstream } from './upstream.ts';

export function upstreamOf(feedMirror: string | null): Upstream {
  return feedMirror !== null && !/^https?:\/\//i.test(feedMirror)
    ? folderUpstream(feedMirror)
    : httpUpstream(feedMirror);
}
