/** The followed parts of a source: known and new ones, and changes of the selection. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { SourceSettingsReply } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { FollowedParts } from './settings-draft.ts';

export interface ListedPart {
  readonly key: string;
  readonly label: string;
  readonly added: boolean;
  readonly readAt: number | null;
  /** The part was added in this form and is not saved. */
  readonly isNew: boolean;
}

/** Lists the known parts, then new ones. Parts whose addition was undone are omitted. */
export function listParts(
  known: SourceSettingsReply['parts'],
  added: readonly string[],
): readonly ListedPart[] {
  const remaining = known
    .filter((part) => !part.added || added.includes(part.key))
    .map((part) => ({ ...part, isNew: false }));
  const newKeys = added.filter((key) => !known.some((part) => part.key === key));
  return [
    ...remaining,
    ...newKeys.map((key) => ({ key, label: key, added: true, readAt: null, isNew: true })),
  ];
}

/** Returns the parts whose key or label contains the text, or all for a blank text. */
export function filterParts(parts: readonly ListedPart[], text: string): readonly ListedPart[] {
  const folded = fold(text.trim());
  return parts.filter(({ key, label }) => fold(`${key}\n${label}`).includes(folded));
}

export const followParts = (
  { leftOut, added }: FollowedParts,
  keys: readonly string[],
): FollowedParts => ({ added, leftOut: exclude(leftOut, keys) });

export const unfollowParts = (
  { leftOut, added }: FollowedParts,
  keys: readonly string[],
): FollowedParts => ({ added, leftOut: [...exclude(leftOut, keys), ...keys] });

/** Undoes the addition of a part. */
export const removePart = ({ leftOut, added }: FollowedParts, key: string): FollowedParts => ({
  added: exclude(added, [key]),
  leftOut: exclude(leftOut, [key]),
});

const exclude = (all: readonly string[], excluded: readonly string[]): string[] =>
  all.filter((key) => !excluded.includes(key));
