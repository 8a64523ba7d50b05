/** Finds the part of a source that has been unread for the longest time. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { UnreadPart } from '@patch/contract/sync-endpoints.ts';

/** @param leftUnread see `readUnreadParts`. @returns null when the last run has read all of `parts` */
export function findUnreadPart(
  parts: readonly Pick<AnyPart, 'key' | 'label'>[],
  leftUnread: ReadonlyMap<string, number> | undefined,
): UnreadPart | null {
  const unread = parts.flatMap(({ key, label }): UnreadPart[] => {
    const readAt = leftUnread?.get(key);
    return readAt === undefined ? [] : [{ label, readAt }];
  });
  return unread.toSorted((a, b) => a.readAt - b.readAt)[0] ?? null;
}
