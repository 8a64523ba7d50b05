/** The person behind a call that is not public; the app has admitted them before the handler runs. */

import type { Call } from '@patch/contract/call.ts';
import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import type { Request } from '../http/answer.ts';

/** With an API key: its owner. */
export function whoAsks({ user }: Pick<Request<Call>, 'user'>): SignedInUser {
  if (user === null) throw new Error('A public call, or one of a client, has no user');
  return user;
}

/** SHA-256 of the token of the session by which a call without a scope is made. */
export function ownSession({ session }: Pick<Request<Call>, 'session'>): string {
  if (session === null) throw new Error('A call that an API key can make has no session');
  return session;
}
