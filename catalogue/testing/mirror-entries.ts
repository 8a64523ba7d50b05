/** Reads the entries of a feed's part from the feed mirror. */
import type { Entry, Part } from '../definition/feed.ts';
import { feedMirror } from './describe-with-mirror.ts';
import { publicationFrom } from './publication-from.ts';
import { readAllItems } from './read-all-items.ts';

export async function mirrorEntries(part: Part): Promise<Entry[]> {
  const read = await readAllItems(part, await part.contents(publicationFrom(feedMirror)));
  return read.filter((reading) => reading.kind === 'entry');
}

/** Returns the entries of the parts that the mirror has; it lacks some. */
export async function mirrorEntriesOf(parts: readonly Part[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const part of parts) entries.push(...(await mirrorEntries(part).catch(() => [])));
  return entries;
}
