/** How a calling client is known: by the token that its activation gave it. */

import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { ClientMemory } from './client-memory.ts';
import { assertLicensed, unknownClient } from './client-state.ts';
import type { StoredClient } from './licensed-client-store.ts';

export const newClientToken = () => `prc_${randomBytes(32).toString('base64url')}`;

export const hashOfToken = (token: string) => sha256Hex(token);

/** Throws the AppError that says why it may not call. */
export async function findClient(
  clients: Pick<ClientMemory, 'ofToken'>,
  token: string,
  now: number,
): Promise<StoredClient> {
  const client = token.startsWith('prc_') ? await clients.ofToken(hashOfToken(token)) : null;
  if (client === null) throw unknownClient();
  assertLicensed(client, now);
  return client;
}
