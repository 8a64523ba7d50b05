/** Which parts of a source are followed: the known ones and those just added, and what a choice makes of them. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { SourceSettingsReply } from '@patch/contract/source-settings-endpoints.ts';
import type { FollowedParts } from './settings-draft.ts';

export interface ListedPart {
  readonly key: string;
  readonly label: string;
  readonly added: boolean;
  readonly readAt: number | null;
  /** The server has not seen it yet. */
  readonly isNew: boolean;
}

/** Added parts that are removed again disappear at once; those just added come last. */
export function listedParts(
  known: SourceSettingsReply['parts'],
  added: readonly string[],
): readonly ListedPart[] {
  const stay = known
    .filter((part) => !part.added || added.includes(part.key))
    .map((part) => ({ ...part, isNew: false }));
  const fresh = added.filter((key) => !known.some((part) => part.key === key));
  return [
    ...stay,
    ...fresh.map((key) => ({ key, label: key, added: true, readAt: null, isNew: true })),
  ];
}

/** Those whose key or label contains the text; all when it is blank. */
export function partsMatching(parts: readonly ListedPart[], text: string): readonly ListedPart[] {
  const wanted = fold(text.trim());
  return parts.filter(({ key, label }) => fold(`${key}\n${label}`).includes(wanted));
}

export const withFollowed = (
  { leftOut, added }: FollowedParts,
  keys: readonly string[],
): FollowedParts => ({ added, leftOut: without(leftOut, keys) });

export const withLeftOut = (
  { leftOut, added }: FollowedParts,
  keys: readonly string[],
): FollowedParts => ({ added, leftOut: [...without(leftOut, keys), ...keys] });

/** Undoes the addition of a part. */
export const withRemoved = ({ leftOut, added }: FollowedParts, key: string): FollowedParts => ({
  added: without(added, [key]),
  leftOut: without(leftOut, [key]),
});

const without = (all: readonly string[], some: readonly string[]): string[] =>
  all.filter((key) => !some.includes(key));
