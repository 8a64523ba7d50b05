/** Stores the saved settings of the service in one row, and the password policy in another. */
import {
  defaultPasswordPolicy,
  PasswordPolicy,
} from '@patch/contract/form-rules/password-rules.ts';
import { defaultSettings, GeneralSettings } from '@patch/contract/operations/settings-endpoints.ts';
import type { Queryable } from '../database/database.ts';
import { jsonObject, ValueRow } from '../database/plain-rows.ts';
import { query } from '../database/sql-statement.ts';

const SavedSettings = GeneralSettings.partial();

/** Fills in defaults for settings that were never saved or that this version does not accept, so that the service starts anyway. */
export async function readSettings(database: Queryable): Promise<GeneralSettings> {
  const value = await query.value(database, jsonObject)`
    select value from settings where name = 'general'`;
  const saved = Object.entries(value ?? {}).filter(
    ([name, each]) => SavedSettings.safeParse({ [name]: each }).success,
  );
  return GeneralSettings.parse({ ...defaultSettings, ...Object.fromEntries(saved) });
}

/** Returns the password policy, or the default until administrators set one. */
export async function readPasswordPolicy(database: Queryable): Promise<PasswordPolicy> {
  const row = await query.row(database, ValueRow)`
    select value from settings where name = 'password_policy'`;
  if (row === null) return defaultPasswordPolicy;
  const read = PasswordPolicy.safeParse(row.value);
  if (!read.success)
    throw new Error('The setting password_policy is invalid', { cause: read.error });
  return read.data;
}

export const writeSettings = (tx: Queryable, settings: GeneralSettings) =>
  writeSetting(tx, 'general', settings);

/** Makes concurrent changes wait until the transaction ends. */
export const lockSettings = (tx: Queryable) =>
  query.run(tx)`lock table settings in share row exclusive mode`;

export const writeSetting = (tx: Queryable, name: 'general' | 'password_policy', value: object) =>
  query.run(tx)`
    insert into settings (name, value) values (${name}, ${JSON.stringify(value)})
    on conflict (name) do update set value = excluded.value`;
