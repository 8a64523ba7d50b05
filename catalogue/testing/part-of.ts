/** Finds a part of a feed by its key, for tests. */
import type { PartOf } from '../definition/feed.ts';

export function partOf<Item>(
  feed: { readonly parts: readonly PartOf<Item>[] },
  key: string,
): PartOf<Item> {
  const part = feed.parts.find((candidate) => candidate.key === key);
  if (part === undefined) throw new Error(`Unknown part ${key}`);
  return part;
}
