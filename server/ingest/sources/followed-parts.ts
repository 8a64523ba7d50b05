/** Selects the parts of a feed that are synced: its own and added parts, without excluded ones. Finds those that stay unread. */
import type { AnyFeed, AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { SourceSettings } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { UnreadPart } from '@patch/contract/sources/sync-endpoints.ts';

export interface OfferedPart {
  readonly part: AnyPart;
  /** An administrator has added it. */
  readonly added: boolean;
}

/** Returns every part that can be followed. Ignores added keys that this version does not know or has as its own. */
export function getOfferedParts(feed: AnyFeed, added: SourceSettings['added']): OfferedPart[] {
  return [
    ...feed.parts.map((part) => ({ part, added: false })),
    ...added.flatMap((key) => {
      const part = isOwn(feed, key) ? null : feed.otherParts?.toPart(key);
      return part ? [{ part, added: true }] : [];
    }),
  ];
}

export function getFollowedParts(
  feed: AnyFeed,
  { added, leftOut }: Pick<SourceSettings, 'added' | 'leftOut'>,
): AnyPart[] {
  return getOfferedParts(feed, added).flatMap(({ part }) =>
    leftOut.includes(part.key) ? [] : [part],
  );
}

/** Returns true for a part that the feed includes without being added. */
export function isOwn(feed: AnyFeed, key: string): boolean {
  return feed.parts.some((part) => part.key === key);
}

/** Finds the part that has been unread for the longest time. @param leftUnread see `readUnreadParts`. @returns null when the last run has read all of `parts` */
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
