/** The session: user, token and login type, stored in local storage and shared by all tabs. */
import { type loginTypes, SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
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
const personPrefix = 'patch-repository.';
export const personKey = (name: string): string => `${personPrefix}${name}`;

const storageKey = personKey('session');
const signedOut: Session = { user: null, token: null, loginType: 'support-portal' };

const watchers = new Set<() => void>();
const signOutListeners = new Set<(cause: SignOutCause) => void>();
let current = read(localStorage.getItem(storageKey));

function read(kept: string | null): Session {
  if (kept === null) return signedOut;
  try {
    const { user, token, loginType } = JSON.parse(kept) as Partial<Session>;
    if (typeof token !== 'string' || token === '') return signedOut;
    const known = SignedInUser.safeParse(user);
    return {
      user: known.success ? known.data : null,
      token,
      loginType: loginType === 'sso' ? 'sso' : 'support-portal',
    };
  } catch {
    return signedOut;
  }
}

function become(next: Session): void {
  current = next;
  for (const watcher of watchers) watcher();
}

function keep(next: Session): void {
  if (next.token === null) forgetPerson();
  else localStorage.setItem(storageKey, JSON.stringify(next));
  become(next);
}

/** Removes all keys with the prefix, including those of earlier versions. */
function forgetPerson(): void {
  const keys = Object.keys(localStorage).filter(
    (key) => key.startsWith(personPrefix) && key !== aboutKey,
  );
  for (const key of keys) localStorage.removeItem(key);
}

function tellSignedOut(cause: SignOutCause): void {
  for (const listener of signOutListeners) listener(cause);
}

addEventListener('storage', (event) => {
  if (event.key !== storageKey && event.key !== null) return;
  const had = current.token;
  become(read(localStorage.getItem(storageKey)));
  if (had !== null && current.token === null) tellSignedOut('elsewhere');
});

export function session(): Session {
  return current;
}

/** The user must change the password or set up a second factor before leaving the login page. */
export const isHeldAtLogin = (user: SignedInUser): boolean =>
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
  keep({ token, user, loginType });
}

/** Replaces the user and keeps the token. */
export function refreshUser(user: SignedInUser): void {
  keep({ ...current, user });
}

/** Clears the session in this browser and notifies listeners. Callers end the session on the server themselves. */
export function signOut(cause: SignOutCause = 'asked'): void {
  keep(signedOut);
  tellSignedOut(cause);
}

export function onSignedOut(listener: (cause: SignOutCause) => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

/** Returns the user's time zone, else that of the service; the browser's when neither is set or the browser does not know it. */
export function timeZone(): string {
  const browsers = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const users = current.user?.timezone ?? about().timeZone;
  if (users === null) return browsers;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: users }).resolvedOptions().timeZone;
  } catch {
    return browsers;
  }
}
