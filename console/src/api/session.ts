/** Who is signed in: user, token and login type, kept in local storage and the same in every tab of the browser. */
import { type loginTypes, SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { useSyncExternalStore } from 'react';
import { about, aboutKey } from './about.ts';

export type LoginType = (typeof loginTypes)[number];

export interface Session {
  readonly user: SignedInUser | null;
  readonly token: string | null;
  readonly loginType: LoginType;
}

/** Why a session ended: the person asked, the server no longer knows the token, or another tab signed out. */
export type SignOutCause = 'asked' | 'refused' | 'elsewhere';

/** Everything of this browser that begins so is of the person who is signed in, and goes when that person signs out. */
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

/** Also what an earlier version has left. */
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

/** Signed in, and kept at the login page until the password is changed or a second factor is switched on. */
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

/** The user as the server knows it now; the token stays. */
export function refreshUser(user: SignedInUser): void {
  keep({ ...current, user });
}

/** Forgets the session here and tells who listens. A caller that signs out on the user's behalf tells the server. */
export function signOut(cause: SignOutCause = 'asked'): void {
  keep(signedOut);
  tellSignedOut(cause);
}

export function onSignedOut(listener: (cause: SignOutCause) => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

/** The user's own time zone, else the service's, when it is set and this browser knows it; else the browser's. */
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
