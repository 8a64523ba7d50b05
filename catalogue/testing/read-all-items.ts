/** Returns everything that a run receives from a part: the remarks of its contents, then the items that reading them yields. */
import type { FeedItem, Part, PartManifest } from '../definition/feed.ts';
import { collect } from './collect.ts';

export async function readAllItems(part: Part, contents: PartManifest): Promise<FeedItem[]> {
  return [...(contents.remarks ?? []), ...(await collect(part.read(contents)))];
}
