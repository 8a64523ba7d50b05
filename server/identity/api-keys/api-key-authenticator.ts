/** Who calls with an API key: 256 random bits after `prk_`, of which only the SHA-256 is kept. */

import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Authenticators } from '../../platform/http/authenticate.ts';
import { findKeyOwner, noteKeyUse } from './api-key-store.ts';

const shape = /^prk_[\w-]{43}$/;
/** A key that is used all the time is written back at most this often. */
const writtenEvery = 60_000;

export const newApiKey = (): string => `prk_${randomBytes(32).toString('base64url')}`;
export const hashOfKey = (key: string): string => sha256Hex(key);

export function apiKeyAuthenticator(
  database: Database,
  clock: () => number,
): NonNullable<Authenticators['findApiKey']> {
  return async (key) => {
    if (!shape.test(key)) return null;
    const now = clock();
    const found = await findKeyOwner(database, hashOfKey(key), now);
    if (found === null) return null;
    const { id, lastUsedTime, ...owner } = found;
    if (lastUsedTime === null || now - lastUsedTime >= writtenEvery)
      await noteKeyUse(database, id, now);
    return owner;
  };
}
