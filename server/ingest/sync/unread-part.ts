/** The part of a source that its last successful run left unread for the longest time. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { UnreadPart } from '@patch/contract/sync-endpoints.ts';
import type { PartReadTime } from './feed-part-store.ts';

/** `readTimes` as of `partReadTimes`; undefined where the last successful run was an import. Null: the run left none of `parts` unread. */
export function unreadPart(
  parts: readonly Pick<AnyPart, 'key' | 'label'>[],
  readTimes: ReadonlyMap<string, PartReadTime> | undefined,
): UnreadPart | null {
  if (readTimes === undefined) return null;
  const unread = parts.flatMap(({ key, label }): UnreadPart[] => {
    const times = readTimes.get(key);
    if (times === undefined) return [{ label, readAt: null }];
    return times.leftUnread ? [{ label, readAt: times.readAt }] : [];
  });
  return unread.toSorted((a, b) => (a.readAt ?? 0) - (b.readAt ?? 0))[0] ?? null;
}
