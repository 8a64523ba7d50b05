/** Stores the single sign-on configuration, with the client's secret sealed. */
import {
  KnownSsoConfig as Known,
  type KnownSsoConfig,
  type SsoConfig,
} from '@patch/contract/accounts/sso-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { ValueRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { type SecretBox, UnreadableSecret } from '../../platform/secrets/secret-box.ts';

/** The configuration with the secret, for requests to the identity provider. */
export interface SsoAccount extends Omit<KnownSsoConfig, 'clientSecretSet'> {
  /** Null: a public client. */
  readonly clientSecret: string | null;
}

const StoredConfig = Known.omit({ clientSecretSet: true }).extend({
  sealedSecret: z.string().nullable(),
});

async function readStoredConfig(database: Queryable): Promise<z.infer<typeof StoredConfig> | null> {
  const rows = await queryRows(
    database,
    ValueRow,
    "select value from settings where name = 'sso_config'",
  );
  if (rows[0] === undefined) return null;
  const read = StoredConfig.safeParse(rows[0].value);
  if (!read.success) throw new Error('The setting sso_config is invalid', { cause: read.error });
  return read.data;
}

/** Returns null until it is configured. */
export async function readSsoConfig(database: Queryable): Promise<KnownSsoConfig | null> {
  const stored = await readStoredConfig(database);
  if (stored === null) return null;
  const { sealedSecret, ...config } = stored;
  return { ...config, clientSecretSet: sealedSecret !== null };
}

/** Returns null until it is configured. @throws UnreadableSecret */
export async function readSsoAccount(
  database: Queryable,
  box: SecretBox,
): Promise<SsoAccount | null> {
  const stored = await readStoredConfig(database);
  if (stored === null) return null;
  const { sealedSecret, ...config } = stored;
  if (sealedSecret === null) return { ...config, clientSecret: null };
  const clientSecret = box.open(sealedSecret);
  if (clientSecret === null)
    throw new UnreadableSecret(
      'The client secret',
      'Enter it in the single sign-on configuration again.',
    );
  return { ...config, clientSecret };
}

/** An absent secret leaves the stored one unchanged. */
export async function writeSsoConfig(
  database: Queryable,
  box: SecretBox,
  { clientSecret, ...config }: SsoConfig,
): Promise<void> {
  const before = clientSecret === undefined ? await readStoredConfig(database) : null;
  const sealedSecret =
    clientSecret === undefined
      ? (before?.sealedSecret ?? null)
      : clientSecret === ''
        ? null
        : box.seal(clientSecret);
  await database.query(
    `insert into settings (name, value) values ('sso_config', $1::jsonb) on conflict (name) do update set value = excluded.value`,
    [JSON.stringify({ ...config, sealedSecret })],
  );
}
