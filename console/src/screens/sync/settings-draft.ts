/** What the settings form holds while it is filled in, and what is sent for it. */
import type { SourceSettings } from '@patch/contract/source-settings-endpoints.ts';

export type FollowedParts = Pick<SourceSettings, 'leftOut' | 'added'>;

export interface SettingsDraft {
  readonly enabled: boolean;
  /** Null: the feed's own. */
  readonly schedule: string | null;
  readonly mirror: string;
  readonly parts: FollowedParts;
  /** Null while the input is empty. */
  readonly shrinkageShare: number | null;
}

export function draftOf({
  enabled,
  schedule,
  mirror,
  leftOut,
  added,
  shrinkageShare,
}: SourceSettings): SettingsDraft {
  return { enabled, schedule, mirror: mirror ?? '', parts: { leftOut, added }, shrinkageShare };
}

/** Only what the draft changes: another administrator may have changed the rest meanwhile. */
export function changedSettings(
  draft: SettingsDraft,
  before: SourceSettings,
): Partial<SourceSettings> {
  const after = settingsOf(draft, before);
  return {
    ...(after.enabled !== before.enabled && { enabled: after.enabled }),
    ...(after.schedule !== before.schedule && { schedule: after.schedule }),
    ...(after.mirror !== before.mirror && { mirror: after.mirror }),
    ...(!sameKeys(after.leftOut, before.leftOut) && { leftOut: after.leftOut }),
    ...(!sameKeys(after.added, before.added) && { added: after.added }),
    ...(after.shrinkageShare !== before.shrinkageShare && { shrinkageShare: after.shrinkageShare }),
  };
}

/** What an empty share leaves as it was: the form does not let it through. */
function settingsOf(draft: SettingsDraft, before: SourceSettings): SourceSettings {
  const mirror = draft.mirror.trim();
  return {
    enabled: draft.enabled,
    schedule: draft.schedule === null ? null : oneSpaced(draft.schedule),
    mirror: mirror === '' ? null : mirror,
    leftOut: draft.parts.leftOut,
    added: draft.parts.added,
    shrinkageShare: draft.shrinkageShare ?? before.shrinkageShare,
  };
}

/** Nothing differs that would be sent. An emptied share is a change: it is not what is saved. */
export function isUnchanged(draft: SettingsDraft, before: SourceSettings): boolean {
  return (
    draft.shrinkageShare === before.shrinkageShare &&
    Object.keys(changedSettings(draft, before)).length === 0
  );
}

const sameKeys = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((key) => others.includes(key));

export const oneSpaced = (cron: string): string => cron.trim().replaceAll(/\s+/g, ' ');

/** The refusals that are about one field. */
const fieldOfCode: Readonly<Record<string, keyof SettingsDraft>> = {
  invalid_schedule: 'schedule',
  invalid_mirror: 'mirror',
  part_added_twice: 'parts',
  part_is_own: 'parts',
  unknown_part: 'parts',
  nothing_followed: 'parts',
};

/** What the contract alone refuses names the field as it is sent. */
const sentAs: Readonly<Record<keyof SettingsDraft, RegExp>> = {
  enabled: /^enabled\b/,
  schedule: /^schedule\b/,
  mirror: /^mirror\b/,
  parts: /^(leftOut|added)\b/,
  shrinkageShare: /^shrinkageShare\b/,
};

/** Undefined: the refusal is about no field, or about several. */
export function fieldOfError(code: string, message: string): keyof SettingsDraft | undefined {
  return (
    fieldOfCode[code] ??
    (Object.keys(sentAs) as (keyof SettingsDraft)[]).find((field) => sentAs[field].test(message))
  );
}
