/** Authenticates callers by API key: `prk_` and 256 random bits, of which only the SHA-256 is stored. */

import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Authenticators } from '../../platform/http/authenticate.ts';
import { findKeyOwner, noteKeyUse } from './api-key-store.ts';

const shape = /^prk_[\w-]{43}$/;
/** Minimum time between two writes of a key's last use. */
const writeIntervalMs = 60_000;

export const newApiKey = (): string => `prk_${randomBytes(32).toString('base64url')}`;
export const hashKey = (key: string): string => sha256Hex(key);

export function apiKeyAuthenticator(
  database: Database,
  clock: () => number,
): NonNullable<Authenticators['findApiKey']> {
  return async (key) => {
    if (!shape.test(key)) return null;
    const now = clock();
    const found = await findKeyOwner(database, hashKey(key), now);
    if (found === null) return null;
    const { id, lastUsedTime, ...owner } = found;
    if (lastUsedTime === null || now - lastUsedTime >= writeIntervalMs)
      await noteKeyUse(database, id, now);
    return owner;
  };
}
