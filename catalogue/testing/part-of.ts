/** One part of a feed by its key, for tests. */
import type { Feed, Part } from '../definition/feed.ts';

export function partOf(feed: Feed, key: string): Part {
  const part = feed.parts.find((candidate) => candidate.key === key);
  if (part === undefined) throw new Error(`There is no part ${key}`);
  return part;
}
