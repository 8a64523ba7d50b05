/** How people sign in with an identity provider, as administrators have set it; the client's secret sealed. */
import {
  KnownSsoConfig as Known,
  type KnownSsoConfig,
  type SsoConfig,
} from '@patch/contract/sso-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { ValueRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

/** What the identity provider is asked with. */
export interface SsoAccount extends Omit<KnownSsoConfig, 'clientSecretSet'> {
  /** Null: a public client. */
  readonly clientSecret: string | null;
}

const Kept = Known.omit({ clientSecretSet: true }).extend({ sealedSecret: z.string().nullable() });

async function keptConfig(database: Queryable): Promise<z.infer<typeof Kept> | null> {
  const rows = await queryRows(
    database,
    ValueRow,
    "select value from settings where name = 'sso_config'",
  );
  if (rows[0] === undefined) return null;
  const read = Kept.safeParse(rows[0].value);
  if (!read.success) throw new Error('The setting sso_config is invalid', { cause: read.error });
  return read.data;
}

/** Null until it is configured. */
export async function readSsoConfig(database: Queryable): Promise<KnownSsoConfig | null> {
  const kept = await keptConfig(database);
  if (kept === null) return null;
  const { sealedSecret, ...config } = kept;
  return { ...config, clientSecretSet: sealedSecret !== null };
}

/** Null until it is configured. Throws when the secret was sealed with a key that is gone. */
export async function readSsoAccount(
  database: Queryable,
  box: SecretBox,
): Promise<SsoAccount | null> {
  const kept = await keptConfig(database);
  if (kept === null) return null;
  const { sealedSecret, ...config } = kept;
  if (sealedSecret === null) return { ...config, clientSecret: null };
  const clientSecret = box.open(sealedSecret);
  if (clientSecret === null)
    throw new Error(
      'The client secret cannot be read: the secret key has changed. Enter it in the single sign-on configuration again.',
    );
  return { ...config, clientSecret };
}

/** A secret that is not given stays as it is kept. */
export async function writeSsoConfig(
  database: Queryable,
  box: SecretBox,
  { clientSecret, ...config }: SsoConfig,
): Promise<void> {
  const before = clientSecret === undefined ? await keptConfig(database) : null;
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
