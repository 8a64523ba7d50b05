/** Authentication of licensed clients by the token that they got at activation. */

import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { ClientMemory } from './client-memory.ts';
import { assertLicensed, unknownClient } from './client-state.ts';
import type { StoredClient } from './licensed-client-store.ts';

export const newClientToken = () => `prc_${randomBytes(32).toString('base64url')}`;

export const hashToken = (token: string) => sha256Hex(token);

/** @throws AppError that says why the client may not call. */
export async function findClient(
  clients: Pick<ClientMemory, 'findByToken'>,
  token: string,
  now: number,
): Promise<StoredClient> {
  const client = token.startsWith('prc_') ? await clients.findByToken(hashToken(token)) : null;
  if (client === null) throw unknownClient();
  assertLicensed(client, now);
  return client;
}
