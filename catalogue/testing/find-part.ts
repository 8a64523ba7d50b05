/** Finds a part of a feed by its key, for tests. */
import type { FeedPart } from '../definition/feed.ts';

export function findPart<Item>(
  feed: { readonly parts: readonly FeedPart<Item>[] },
  key: string,
): FeedPart<Item> {
  const part = feed.parts.find((candidate) => candidate.key === key);
  if (part === undefined) throw new Error(`Unknown part ${key}`);
  return part;
}
