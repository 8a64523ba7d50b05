/** Stores the settings of the sources. A source without settings is synced with the defaults of its feed. */
import { type SourceKey, sourceKeys } from '@patch/catalogue/sources.ts';
import {
  type SourceSettings,
  standardShrinkageShare,
} from '@patch/contract/sources/source-settings-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** Stored settings without limits, because an earlier version may have had others when it saved them. */
const SavedSettings = z.object({
  enabled: z.boolean(),
  schedule: z.string().nullable(),
  mirror: z.string().nullable(),
  leftOut: z.array(z.string()),
  added: z.array(z.string()),
  shrinkageShare: z.number(),
  changedAt: z.number().nullable(),
  changedBy: z.string().nullable(),
});
export type SavedSettings = z.infer<typeof SavedSettings>;

export const standardSettings: Readonly<SavedSettings> = {
  enabled: true,
  schedule: null,
  mirror: null,
  leftOut: [],
  added: [],
  shrinkageShare: standardShrinkageShare,
  changedAt: null,
  changedBy: null,
};

const settingColumns = `enabled, schedule, mirror, left_out as "leftOut", added, shrinkage_share as "shrinkageShare",
  changed_time as "changedAt", changed_by as "changedBy"`;

export async function readSourceSettings(
  database: Queryable,
  source: SourceKey,
): Promise<SavedSettings> {
  const rows = await queryRows(
    database,
    SavedSettings,
    `select ${settingColumns} from source_setting where source = $1`,
    [source],
  );
  return rows[0] ?? standardSettings;
}

const SettingsOfSource = SavedSettings.extend({ source: z.string() });

/** Reads the settings of every source. */
export async function readAllSourceSettings(
  database: Queryable,
): Promise<ReadonlyMap<SourceKey, SavedSettings>> {
  const rows = await queryRows(
    database,
    SettingsOfSource,
    `select source, ${settingColumns} from source_setting`,
  );
  const saved = new Map(rows.map(({ source, ...settings }) => [source, settings]));
  return new Map(sourceKeys.map((source) => [source, saved.get(source) ?? standardSettings]));
}

/** Locks the settings for a transaction, so that a concurrent change waits and starts with the saved settings. */
export async function lockSourceSettings(tx: Queryable): Promise<void> {
  await tx.query('lock table source_setting in share row exclusive mode');
}

export async function saveSettings(
  tx: Queryable,
  source: SourceKey,
  { enabled, schedule, mirror, leftOut, added, shrinkageShare }: SourceSettings,
  changedBy: string,
  now: number,
): Promise<void> {
  await tx.query(
    `insert into source_setting (source, enabled, schedule, mirror, left_out, added, shrinkage_share, changed_time, changed_by)
     values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9)
     on conflict (source) do update set enabled = excluded.enabled, schedule = excluded.schedule, mirror = excluded.mirror,
       left_out = excluded.left_out, added = excluded.added, shrinkage_share = excluded.shrinkage_share,
       changed_time = excluded.changed_time, changed_by = excluded.changed_by`,
    [
      source,
      enabled,
      schedule,
      mirror,
      JSON.stringify(leftOut),
      JSON.stringify(added),
      shrinkageShare,
      now,
      changedBy,
    ],
  );
}
