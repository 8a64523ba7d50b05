/** Returns everything that a run receives from a part: the remarks of its contents, then the items that reading them yields. */
import type { FeedItem, Part, PartManifest } from '../definition/feed.ts';
import { allOf } from './all-of.ts';

export async function readingsOf(part: Part, contents: PartManifest): Promise<FeedItem[]> {
  return [...(contents.remarks ?? []), ...(await allOf(part.read(contents)))];
}
