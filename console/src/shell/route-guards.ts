/** Guards that decide who may open a page. Pages below /patch-repository need a session, which is checked with the server once. */
import { meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { redirect } from '@tanstack/react-router';
import { ApiCallError, callApi } from '../api/call-api.ts';
import { mustCompleteSignIn, refreshUser, session } from '../api/session.ts';
import { homePath } from '../widgets/list-paths.ts';

let checked: { readonly token: string; readonly outcome: Promise<void> } | null = null;

/** Requests the user of a token, once per token unless the request fails. */
function checkOnce(token: string): Promise<void> {
  if (checked?.token === token) return checked.outcome;
  const outcome = callApi(meEndpoint).then(refreshUser);
  checked = { token, outcome };
  outcome.catch(() => {
    checked = null;
  });
  return outcome;
}

/** Lets signed-in users pass, and sends others to the login page with the way back. */
export async function requireSession(requestedPath: string): Promise<void> {
  const toLogin = () => redirect({ to: '/login', search: { redirectFrom: requestedPath } });
  const { token } = session();
  if (token === null) throw toLogin();
  try {
    await checkOnce(token);
  } catch (failure) {
    if (failure instanceof ApiCallError && failure.status === 401) throw toLogin();
    throw failure;
  }
  const { user } = session();
  if (user !== null && mustCompleteSignIn(user)) throw toLogin();
}

/** Stops users who are not administrators before the page sends requests that the server would refuse. */
export function requireAdmin(): void {
  if (session().user?.userType === 'Admin') return;
  throw new ApiCallError(403, 'not_allowed', 'Only an administrator may open this page.');
}

/** Returns where to go after sign-in. Only pages of this console are allowed, whatever the address contains. */
export function toSafeRedirect(redirectFrom: string | undefined): string {
  if (redirectFrom === undefined || !/^\/patch-repository(?![^/?#])/.test(redirectFrom))
    return homePath;
  return redirectFrom;
}

/** Redirects signed-in users away from the login page, unless they must change their password or set up a second factor first. */
export function leaveLogin(redirectFrom: string | undefined): void {
  const { token, user } = session();
  if (token !== null && user !== null && !mustCompleteSignIn(user))
    throw redirect({ href: toSafeRedirect(redirectFrom), replace: true });
}
