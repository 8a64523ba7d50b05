/** How a calling client is known: by the token that its activation gave it. */
import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { assertLicensed, unknownClient } from './client-state.ts';
import { clientOfToken, type KeptClient } from './licensed-client-store.ts';

export const newClientToken = () => `prc_${randomBytes(32).toString('base64url')}`;

export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Throws the ApiError that says why it may not call. */
export async function findClient(
  database: Queryable,
  token: string,
  now: number,
): Promise<KeptClient> {
  const client = token.startsWith('prc_')
    ? await clientOfToken(database, hashOfToken(token))
    : null;
  if (client === null) throw unknownClient();
  assertLicensed(client, now);
  return client;
}
