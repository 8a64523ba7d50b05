/** Stores the email configuration, with a sealed password. */
import {
  type EmailConfig,
  KnownEmailConfig as Known,
  type KnownEmailConfig,
  MailTest,
} from '@patch/contract/operations/mail-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { ValueRow } from '../database/plain-rows.ts';
import { queryRows } from '../database/query-rows.ts';
import { type SecretBox, UnreadableSecret } from '../secrets/secret-box.ts';

/** The configuration with its password in plain text, for sending. */
export interface MailAccount extends Omit<KnownEmailConfig, 'passwordSet'> {
  /** Null: no login. */
  readonly password: string | null;
}

const StoredConfig = Known.omit({ passwordSet: true }).extend({
  sealedPassword: z.string().nullable(),
});

async function readSetting(database: Queryable, name: string): Promise<unknown> {
  const rows = await queryRows(database, ValueRow, 'select value from settings where name = $1', [
    name,
  ]);
  return rows[0]?.value;
}

async function writeSetting(database: Queryable, name: string, value: unknown): Promise<void> {
  await database.query(
    'insert into settings (name, value) values ($1, $2::jsonb) on conflict (name) do update set value = excluded.value',
    [name, JSON.stringify(value)],
  );
}

async function readStoredConfig(database: Queryable): Promise<z.infer<typeof StoredConfig> | null> {
  const value = await readSetting(database, 'email_config');
  if (value === undefined) return null;
  const read = StoredConfig.safeParse(value);
  if (!read.success) throw new Error('The setting email_config is invalid', { cause: read.error });
  return read.data;
}

export const isEmailConfigured = async (database: Queryable): Promise<boolean> =>
  (await readSetting(database, 'email_config')) !== undefined;

/** Returns null until email is configured. */
export async function readEmailConfig(database: Queryable): Promise<KnownEmailConfig | null> {
  const stored = await readStoredConfig(database);
  if (stored === null) return null;
  const { sealedPassword, ...config } = stored;
  return { ...config, passwordSet: sealedPassword !== null };
}

/** Returns null until email is configured. @throws UnreadableSecret */
export async function readMailAccount(
  database: Queryable,
  box: SecretBox,
): Promise<MailAccount | null> {
  const stored = await readStoredConfig(database);
  if (stored === null) return null;
  const { sealedPassword, ...config } = stored;
  if (sealedPassword === null) return { ...config, password: null };
  const password = box.open(sealedPassword);
  if (password === null)
    throw new UnreadableSecret(
      'The password of the mail server',
      'Enter the password in the email configuration again.',
    );
  return { ...config, password };
}

/** Leaves the stored password unchanged when `password` is undefined, and removes it when it is empty. */
export async function writeEmailConfig(
  database: Queryable,
  box: SecretBox,
  { password, ...config }: EmailConfig,
): Promise<void> {
  const before = password === undefined ? await readStoredConfig(database) : null;
  const sealedPassword =
    password === undefined
      ? (before?.sealedPassword ?? null)
      : password === ''
        ? null
        : box.seal(password);
  await writeSetting(database, 'email_config', { ...config, sealedPassword });
}

export async function readLastTest(database: Queryable): Promise<MailTest | null> {
  const read = MailTest.safeParse(await readSetting(database, 'email_last_test'));
  return read.success ? read.data : null;
}

export async function writeLastTest(database: Queryable, test: MailTest): Promise<void> {
  await writeSetting(database, 'email_last_test', test);
}
