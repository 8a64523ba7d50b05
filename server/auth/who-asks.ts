/** The person and the session behind a call that is not public; the app has admitted them before the handler runs. */

import type { Call } from '@patch/contract/call.ts';
import type { Request } from '../http/answer.ts';
import type { SignedIn } from '../http/signed-in.ts';

export function whoAsks({ user, session }: Pick<Request<Call>, 'user' | 'session'>): SignedIn {
  if (user === null || session === null) throw new Error('A public call has nobody who asks');
  return { user, session };
}
