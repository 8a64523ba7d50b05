/** Signs the person out: the server forgets the token when it can be reached, this browser in any case. */
import { signOutEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { callApi } from '../api/call-api.ts';
import { session, signOut } from '../api/session.ts';

export async function endSession(): Promise<void> {
  if (session().token === null) return;
  // Sent with the token before it is forgotten; its failure changes nothing for the person.
  const told = callApi(signOutEndpoint).catch(() => undefined);
  signOut('asked');
  await told;
}
