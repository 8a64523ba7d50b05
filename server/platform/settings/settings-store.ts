/** Stores the saved settings of the service in one row. */
import { defaultSettings, GeneralSettings } from '@patch/contract/settings-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { jsonObject } from '../database/plain-rows.ts';
import { queryRows } from '../database/query-rows.ts';

const SavedSettings = GeneralSettings.partial();

const SettingsRow = z.object({ value: jsonObject });

/** Fills in defaults for settings that were never saved or that this version does not accept, so that the service starts anyway. */
export async function readSettings(database: Queryable): Promise<GeneralSettings> {
  const rows = await queryRows(
    database,
    SettingsRow,
    "select value from settings where name = 'general'",
  );
  const saved = Object.entries(rows[0]?.value ?? {}).filter(
    ([name, value]) => SavedSettings.safeParse({ [name]: value }).success,
  );
  return GeneralSettings.parse({ ...defaultSettings, ...Object.fromEntries(saved) });
}

export async function writeSettings(tx: Queryable, settings: GeneralSettings): Promise<void> {
  await writeSetting(tx, 'general', settings);
}

/** Makes concurrent changes wait until the transaction ends. */
export async function lockSettings(tx: Queryable): Promise<void> {
  await tx.query('lock table settings in share row exclusive mode');
}

export async function writeSetting(
  tx: Queryable,
  name: 'general' | 'password_policy',
  value: object,
): Promise<void> {
  await tx.query(
    'insert into settings (name, value) values ($1, $2::text::jsonb) on conflict (name) do update set value = excluded.value',
    [name, JSON.stringify(value)],
  );
}
