/** Which parts of a feed a source is synced with: the feed's own and those that an administrator has added, without those left out. */
import type { AnyFeed, AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { SourceSettings } from '@patch/contract/source-settings-endpoints.ts';

export interface OfferedPart {
  readonly part: AnyPart;
  /** An administrator named it. */
  readonly added: boolean;
}

/** Every part that can be followed. A key that an older version took and this one does not, or has for its own by now, is passed over. */
export function offeredParts(feed: AnyFeed, added: SourceSettings['added']): OfferedPart[] {
  return [
    ...feed.parts.map((part) => ({ part, added: false })),
    ...added.flatMap((key) => {
      const part = isOwn(feed, key) ? null : feed.otherParts?.partOf(key);
      return part ? [{ part, added: true }] : [];
    }),
  ];
}

export function followedParts(
  feed: AnyFeed,
  { added, leftOut }: Pick<SourceSettings, 'added' | 'leftOut'>,
): AnyPart[] {
  return offeredParts(feed, added).flatMap(({ part }) =>
    leftOut.includes(part.key) ? [] : [part],
  );
}

export function isOwn(feed: AnyFeed, key: string): boolean {
  return feed.parts.some((part) => part.key === key);
}
