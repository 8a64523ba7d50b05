/** The values of the settings form, and the request that saves them. */
import type { SourceSettings } from '@patch/contract/sources/source-settings-endpoints.ts';

export type FollowedParts = Pick<SourceSettings, 'leftOut' | 'added'>;

export interface SettingsDraft {
  readonly enabled: boolean;
  /** Null for the feed's standard schedule. */
  readonly schedule: string | null;
  readonly mirror: string;
  readonly parts: FollowedParts;
  /** Null while the input is empty. */
  readonly shrinkageShare: number | null;
}

export function toSettingsDraft({
  enabled,
  schedule,
  mirror,
  leftOut,
  added,
  shrinkageShare,
}: SourceSettings): SettingsDraft {
  return { enabled, schedule, mirror: mirror ?? '', parts: { leftOut, added }, shrinkageShare };
}

/** Returns only the changes of the draft, because another administrator may have changed the rest meanwhile. */
export function findChangedSettings(
  draft: SettingsDraft,
  before: SourceSettings,
): Partial<SourceSettings> {
  const after = toSettings(draft, before);
  return {
    ...(after.enabled !== before.enabled && { enabled: after.enabled }),
    ...(after.schedule !== before.schedule && { schedule: after.schedule }),
    ...(after.mirror !== before.mirror && { mirror: after.mirror }),
    ...(!haveSameKeys(after.leftOut, before.leftOut) && { leftOut: after.leftOut }),
    ...(!haveSameKeys(after.added, before.added) && { added: after.added }),
    ...(after.shrinkageShare !== before.shrinkageShare && { shrinkageShare: after.shrinkageShare }),
  };
}

/** An empty share keeps its saved value. The form does not accept it. */
function toSettings(draft: SettingsDraft, before: SourceSettings): SourceSettings {
  const mirror = draft.mirror.trim();
  return {
    enabled: draft.enabled,
    schedule: draft.schedule === null ? null : normaliseBlanks(draft.schedule),
    mirror: mirror === '' ? null : mirror,
    leftOut: draft.parts.leftOut,
    added: draft.parts.added,
    shrinkageShare: draft.shrinkageShare ?? before.shrinkageShare,
  };
}

/** Returns whether the draft has nothing to save. An emptied share is a change. */
export function isUnchanged(draft: SettingsDraft, before: SourceSettings): boolean {
  return (
    draft.shrinkageShare === before.shrinkageShare &&
    Object.keys(findChangedSettings(draft, before)).length === 0
  );
}

const haveSameKeys = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((key) => b.includes(key));

export const normaliseBlanks = (cron: string): string => cron.trim().replaceAll(/\s+/g, ' ');

/** The field of each refusal that concerns a single field. */
const fieldsByCode: Readonly<Record<string, keyof SettingsDraft>> = {
  invalid_schedule: 'schedule',
  invalid_mirror: 'mirror',
  part_added_twice: 'parts',
  part_is_own: 'parts',
  unknown_part: 'parts',
  nothing_followed: 'parts',
};

/** Field names in the messages of contract violations. */
const messagePatterns: Readonly<Record<keyof SettingsDraft, RegExp>> = {
  enabled: /^enabled\b/,
  schedule: /^schedule\b/,
  mirror: /^mirror\b/,
  parts: /^(leftOut|added)\b/,
  shrinkageShare: /^shrinkageShare\b/,
};

/** Returns undefined for a refusal that concerns no field or several. */
export function findErrorField(code: string, message: string): keyof SettingsDraft | undefined {
  return (
    fieldsByCode[code] ??
    (Object.keys(messagePatterns) as (keyof SettingsDraft)[]).find((field) =>
      messagePatterns[field].test(message),
    )
  );
}
