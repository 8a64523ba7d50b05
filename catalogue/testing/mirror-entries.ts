/** Reads a feed's part from the feed mirror. */
import type { Entry, FeedItem, Part } from '../definition/feed.ts';
import { feedMirror } from './describe-with-mirror.ts';
import { publicationFrom } from './publication-from.ts';
import { readAllItems } from './read-all-items.ts';

const readPartItems = async (part: Part): Promise<FeedItem[]> =>
  readAllItems(part, await part.contents(publicationFrom(feedMirror)));

export async function readPartEntries(part: Part): Promise<Entry[]> {
  return (await readPartItems(part)).filter((reading) => reading.kind === 'entry');
}

/** Returns what the parts yield that the mirror has; it lacks some. */
export async function readMirrorItems(parts: readonly Part[]): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  for (const part of parts) items.push(...(await readPartItems(part).catch(() => [])));
  return items;
}

export async function readMirrorEntries(parts: readonly Part[]): Promise<Entry[]> {
  return (await readMirrorItems(parts)).filter((reading) => reading.kind === 'entry');
}
