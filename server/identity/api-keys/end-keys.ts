/** Ends all API keys of a person who wants it so, and says so for the audit log. */
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { AuditedChange } from '../../platform/http/route.ts';
import { removeApiKeysOf } from './api-key-store.ts';

/** Inside the transaction that changes the password. */
export async function endKeys(
  tx: Queryable,
  { id, name }: Pick<SignedInUser, 'id' | 'name'>,
  changed: (change: AuditedChange) => void,
): Promise<void> {
  const ended = await removeApiKeysOf(tx, id);
  if (ended.length > 0) changed({ subject: `API keys of ${name}`, before: { names: ended } });
}
