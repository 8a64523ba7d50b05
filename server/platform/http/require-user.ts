/** Gets the user of a call that is not public; the app has authenticated them before the handler runs. */

import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { EndpointRequest } from './route.ts';

/** Returns the user, or the owner of the API key. */
export function requireUser({ user }: Pick<EndpointRequest<Endpoint>, 'user'>): SignedInUser {
  if (user === null) throw new Error('A public call, or one of a client, has no user');
  return user;
}

/** Returns the SHA-256 of the session's token, for a call without a scope. */
export function requireSessionHash({
  session,
}: Pick<EndpointRequest<Endpoint>, 'session'>): string {
  if (session === null) throw new Error('A call that an API key can make has no session');
  return session;
}
