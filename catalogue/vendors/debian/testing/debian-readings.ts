/** Reads the feed over the fixtures, or over a publication that differs from them. */
import type { Entry, FeedItem, Publication } from '../../../definition/feed.ts';
import { partOf } from '../../../testing/part-of.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readingsOf } from '../../../testing/readings-of.ts';
import { debianFeed } from '../debian-feed.ts';

export const fixtures = publicationFrom(new URL('../fixtures/', import.meta.url));
export const security = 'http://security.debian.org/debian-security/dists/bookworm-security';

export async function readings(key: string, publication = fixtures): Promise<FeedItem[]> {
  const part = partOf(debianFeed, key);
  return readingsOf(part, await part.contents(publication));
}

/** By key. */
export async function entries(key: string, publication?: Publication): Promise<Map<string, Entry>> {
  const read = await readings(key, publication);
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}
