/** Who may open a page: a session is needed below /patch-repository, and checked with the server once. */
import { meEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { redirect } from '@tanstack/react-router';
import { ApiCallError, callApi } from '../api/call-api.ts';
import { isHeldAtLogin, refreshUser, session } from '../api/session.ts';
import { homePath } from '../widgets/list-paths.ts';

let checked: { readonly token: string; readonly outcome: Promise<void> } | null = null;

/** Asks the server whose token this is; once a token, unless the asking failed. */
function checkOnce(token: string): Promise<void> {
  if (checked?.token === token) return checked.outcome;
  const outcome = callApi(meEndpoint).then(refreshUser);
  checked = { token, outcome };
  outcome.catch(() => {
    checked = null;
  });
  return outcome;
}

/** Lets the signed-in pass; sends others to the login page, which knows where they wanted to go. */
export async function requireSession(wanted: string): Promise<void> {
  const toLogin = () => redirect({ to: '/login', search: { redirectFrom: wanted } });
  const { token } = session();
  if (token === null) throw toLogin();
  try {
    await checkOnce(token);
  } catch (failure) {
    if (failure instanceof ApiCallError && failure.status === 401) throw toLogin();
    throw failure;
  }
  const { user } = session();
  if (user !== null && isHeldAtLogin(user)) throw toLogin();
}

/** Stops everybody but administrators before the page asks the server for what it refuses them. */
export function requireAdmin(): void {
  if (session().user?.userType === 'Admin') return;
  throw new ApiCallError(403, 'not_allowed', 'Only an administrator may open this page.');
}

/** Where to go after signing in: only to a page of this console, whatever the address bar says. */
export function wayBack(redirectFrom: string | undefined): string {
  if (redirectFrom === undefined || !/^\/patch-repository(?![^/?#])/.test(redirectFrom))
    return homePath;
  return redirectFrom;
}

/** The login page is for those who are not signed in, or who must change their password or switch a second factor on first. */
export function leaveLogin(redirectFrom: string | undefined): void {
  const { token, user } = session();
  if (token !== null && user !== null && !isHeldAtLogin(user))
    throw redirect({ href: wayBack(redirectFrom), replace: true });
}
