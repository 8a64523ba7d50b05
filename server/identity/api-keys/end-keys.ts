/** Ends all API keys and addresses of Atom feeds of a person on request, and reports it to the audit log. */
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { AuditedChange } from '../../platform/http/route.ts';
import { removeUserApiKeys, removeUserAtomFeeds } from './api-key-store.ts';

/** Requires the transaction that changes the password. */
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
