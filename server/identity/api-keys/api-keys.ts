/** Issues API keys, `prk_` and 256 random bits of which only the SHA-256 is stored, authenticates callers by them, and ends them. */
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { Authenticators } from '../../platform/http/authenticate.ts';
import type { AuditedChange } from '../../platform/http/route.ts';
import { type IsRequired, withObligation } from '../accounts/required-second-factor.ts';
import {
  findKeyOwner,
  noteKeyUse,
  removeUserApiKeys,
  removeUserAtomFeeds,
} from './api-key-store.ts';

const shape = /^prk_[\w-]{43}$/;
/** Minimum time between two writes of a key's last use. */
const writeIntervalMs = 60_000;

export const newApiKey = (): string => `prk_${randomBytes(32).toString('base64url')}`;
export const hashKey = (key: string): string => sha256Hex(key);

export function apiKeyAuthenticator(
  database: Database,
  clock: () => number,
  isRequired: IsRequired,
): NonNullable<Authenticators['findApiKey']> {
  return async (token) => {
    if (!shape.test(token)) return null;
    const now = clock();
    const found = await findKeyOwner(database, hashKey(token), now);
    if (found === null) return null;
    const { lastUsedTime, user, lacksSecondFactor, ...key } = found;
    if (lastUsedTime === null || now - lastUsedTime >= writeIntervalMs)
      await noteKeyUse(database, key.keyId, now);
    return { ...key, user: withObligation(user, lacksSecondFactor, isRequired) };
  };
}

/**
 * Ends all API keys and addresses of Atom feeds of a person on request, and reports it to the audit log. Requires the
 * transaction that changes the password.
 */
export async function endKeys(
  tx: Queryable,
  { id, name }: Pick<SignedInUser, 'id' | 'name'>,
  changed: (change: AuditedChange) => void,
): Promise<void> {
  const ended = await removeUserApiKeys(tx, id);
  if (ended.length > 0) changed({ subject: `API keys of ${name}`, before: { names: ended } });
  const feeds = await removeUserAtomFeeds(tx, id);
  if (feeds > 0) changed({ subject: `Atom feeds of ${name}`, before: { count: feeds } });
}
