/** The part of a source that its last successful run left unread for the longest time. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { UnreadPart } from '@patch/contract/sync-endpoints.ts';

/** `leftUnread` as of `partsLeftUnread`. Null: the run left none of `parts` unread. */
export function unreadPart(
  parts: readonly Pick<AnyPart, 'key' | 'label'>[],
  leftUnread: ReadonlyMap<string, number> | undefined,
): UnreadPart | null {
  const unread = parts.flatMap(({ key, label }): UnreadPart[] => {
    const readAt = leftUnread?.get(key);
    return readAt === undefined ? [] : [{ label, readAt }];
  });
  return unread.toSorted((a, b) => a.readAt - b.readAt)[0] ?? null;
}
