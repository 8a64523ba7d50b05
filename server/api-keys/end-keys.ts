/** Ends all API keys of a person who wants it so, and says so for the audit log. */
import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import type { Queryable } from '../database/database.ts';
import type { Change } from '../http/answer.ts';
import { removeApiKeysOf } from './api-key-store.ts';

/** Inside the transaction that changes the password. */
export async function endKeys(
  session: Queryable,
  { id, name }: Pick<SignedInUser, 'id' | 'name'>,
  changed: (change: Change) => void,
): Promise<void> {
  const ended = await removeApiKeysOf(session, id);
  if (ended.length > 0) changed({ subject: `API keys of ${name}`, before: { names: ended } });
}
