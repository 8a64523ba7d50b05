/** Signs the user out in this browser, and on the server if it is reachable. */
import { signOutEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { callApi } from '../api/call-api.ts';
import { session, signOut } from '../api/session.ts';

export async function endSession(): Promise<void> {
  if (session().token === null) return;
  // The request is sent while the token still exists. The sign-out succeeds even if it fails.
  const request = callApi(signOutEndpoint).catch(() => undefined);
  signOut('asked');
  await request;
}
