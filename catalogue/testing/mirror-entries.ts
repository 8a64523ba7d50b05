/** Reads a feed's part from the feed mirror. */
import type { Entry, FeedItem, Part } from '../definition/feed.ts';
import { feedMirror } from './describe-with-mirror.ts';
import { publicationFrom } from './publication-from.ts';
import { readAllItems } from './read-all-items.ts';

const mirrorItems = async (part: Part): Promise<FeedItem[]> =>
  readAllItems(part, await part.contents(publicationFrom(feedMirror)));

export async function mirrorEntries(part: Part): Promise<Entry[]> {
  return (await mirrorItems(part)).filter((reading) => reading.kind === 'entry');
}

/** Returns what the parts yield that the mirror has; it lacks some. */
export async function mirrorItemsOf(parts: readonly Part[]): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  for (const part of parts) items.push(...(await mirrorItems(part).catch(() => [])));
  return items;
}

export async function mirrorEntriesOf(parts: readonly Part[]): Promise<Entry[]> {
  return (await mirrorItemsOf(parts)).filter((reading) => reading.kind === 'entry');
}
