/** All that a run is told of a part: what its contents remark, then what the reading of them yields. */
import type { FeedItem, Part, PartManifest } from '../definition/feed.ts';
import { allOf } from './all-of.ts';

export async function readingsOf(part: Part, contents: PartManifest): Promise<FeedItem[]> {
  return [...(contents.remarks ?? []), ...(await allOf(part.read(contents)))];
}
