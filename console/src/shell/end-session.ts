/** Signs the person out: the server forgets the token when it can be reached, this browser in any case. */
import { signOutCall } from '@patch/contract/sign-in-calls.ts';
import { makeCall } from '../api/make-call.ts';
import { session, signOut } from '../api/session.ts';

export async function endSession(): Promise<void> {
  if (session().token === null) return;
  // Sent with the token before it is forgotten; its failure changes nothing for the person.
  const told = makeCall(signOutCall).catch(() => undefined);
  signOut('asked');
  await told;
}
