/** The session: user, token and login type, stored in local storage and shared by all tabs. */
import { type loginTypes, SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { may, type UserAccess } from '@patch/contract/base/user-types.ts';
import { useSyncExternalStore } from 'react';
import { about, aboutKey } from './about.ts';

export type LoginType = (typeof loginTypes)[number];

export interface Session {
  readonly user: SignedInUser | null;
  readonly token: string | null;
  readonly loginType: LoginType;
}

/** Why a session ended: the user signed out, the server refused the token, or another tab signed out. */
export type SignOutCause = 'asked' | 'refused' | 'elsewhere';

/** Sign-out removes all keys with this prefix, because they belong to the user. */
const userPrefix = 'patch-repository.';
export const userKey = (name: string): string => `${userPrefix}${name}`;

const storageKey = userKey('session');
const signedOut: Session = { user: null, token: null, loginType: 'support-portal' };

const watchers = new Set<() => void>();
const signOutListeners = new Set<(cause: SignOutCause) => void>();
let current = parseSession(localStorage.getItem(storageKey));

function parseSession(stored: string | null): Session {
  if (stored === null) return signedOut;
  try {
    const { user, token, loginType } = JSON.parse(stored) as Partial<Session>;
    if (typeof token !== 'string' || token === '') return signedOut;
    const parsedUser = SignedInUser.safeParse(user);
    return {
      user: parsedUser.success ? parsedUser.data : null,
      token,
      loginType: loginType === 'sso' ? 'sso' : 'support-portal',
    };
  } catch {
    return signedOut;
  }
}

function setSession(next: Session): void {
  current = next;
  for (const watcher of watchers) watcher();
}

function storeSession(next: Session): void {
  if (next.token === null) removeUserData();
  else localStorage.setItem(storageKey, JSON.stringify(next));
  setSession(next);
}

/** Removes all keys with the prefix, including those of earlier versions. */
function removeUserData(): void {
  const keys = Object.keys(localStorage).filter(
    (key) => key.startsWith(userPrefix) && key !== aboutKey,
  );
  for (const key of keys) localStorage.removeItem(key);
}

function notifySignedOut(cause: SignOutCause): void {
  for (const listener of signOutListeners) listener(cause);
}

addEventListener('storage', (event) => {
  if (event.key !== storageKey && event.key !== null) return;
  const previousToken = current.token;
  setSession(parseSession(localStorage.getItem(storageKey)));
  if (previousToken !== null && current.token === null) notifySignedOut('elsewhere');
});

export function session(): Session {
  return current;
}

/** The user must change the password or set up a second factor before leaving the login page. */
export const mustCompleteSignIn = (user: SignedInUser): boolean =>
  user.mustChangePassword || user.mustSetUpSecondFactor === true;

function watchSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useSession(): Session {
  return useSyncExternalStore(watchSession, session);
}

export function signIn(
  token: string,
  user: SignedInUser,
  loginType: LoginType = 'support-portal',
): void {
  storeSession({ token, user, loginType });
}

/** Replaces the user and keeps the token. */
export function refreshUser(user: SignedInUser): void {
  storeSession({ ...current, user });
}

/** Clears the session in this browser and notifies listeners. Callers end the session on the server themselves. */
export function signOut(cause: SignOutCause = 'asked'): void {
  storeSession(signedOut);
  notifySignedOut(cause);
}

export function onSignedOut(listener: (cause: SignOutCause) => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

/** Returns the user's time zone, else that of the service; the browser's when neither is set or the browser does not know it. */
export function timeZone(): string {
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const preferredZone = current.user?.timezone ?? about().timeZone;
  if (preferredZone === null) return browserZone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: preferredZone }).resolvedOptions().timeZone;
  } catch {
    return browserZone;
  }
}

/** Returns whether the signed-in user sees the machines of some groups alone. */
export const useIsLimited = (): boolean => (useSession().user?.machineGroups ?? null) !== null;

/** Returns whether the signed-in user may make the calls with an access. */
export const useMay = (access: UserAccess): boolean => may(useSession().user?.userType, access);
