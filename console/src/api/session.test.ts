import { specified } from '@patch/catalogue/testing/specified.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signedInUser } from '../testing/sign-in-as.ts';
import { onSignedOut, session, signIn, signOut, timeZone } from './session.ts';

const user = signedInUser({ timezone: 'Asia/Tokyo' });
const storageKey = 'patch-repository.session';

/** Simulates a write to local storage in another tab. */
function writeInOtherTab(stored: string | null): void {
  if (stored === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, stored);
  dispatchEvent(new StorageEvent('storage', { key: storageKey, newValue: stored }));
}

afterEach(() => signOut());

describe('the session', () => {
  it('is stored in local storage with user, token and login type', () => {
    signIn('abc', user);
    expect(session()).toEqual({
      token: 'abc',
      user,
      loginType: specified.session.defaultLoginType,
    });
    expect(Object.keys(session()).toSorted()).toEqual(specified.session.parts.toSorted());
    expect(JSON.parse(localStorage.getItem(storageKey) ?? '')).toEqual(session());
  });

  it('is cleared on sign-out, and listeners receive the cause', () => {
    const onEnd = vi.fn();
    const stop = onSignedOut(onEnd);
    signIn('abc', user);
    signOut('refused');
    stop();
    expect(session().token).toBeNull();
    expect(localStorage.getItem(storageKey)).toBeNull();
    expect(onEnd.mock.calls).toEqual([['refused']]);
  });

  it('follows sign-in and sign-out in another tab', () => {
    const onEnd = vi.fn();
    const stop = onSignedOut(onEnd);
    writeInOtherTab(JSON.stringify({ token: 'theirs', user, loginType: 'sso' }));
    expect(session()).toMatchObject({ token: 'theirs', loginType: 'sso' });
    writeInOtherTab(null);
    stop();
    expect(session().token).toBeNull();
    expect(onEnd).toHaveBeenCalledExactlyOnceWith('elsewhere');
  });

  it.each(['', 'not json', '{"token":7}', '{"user":{}}', 'null'])(
    'is signed out with %j in storage',
    (stored) => {
      writeInOtherTab(stored);
      expect(session()).toEqual({ token: null, user: null, loginType: 'support-portal' });
    },
  );
});

describe('the time zone', () => {
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  it('is the user’s, when the browser knows it', () => {
    signIn('abc', user);
    expect(timeZone()).toBe('Asia/Tokyo');
  });

  it.each([null, 'Mars/Olympus'])('is the browser’s for a user with %j', (timezone) => {
    signIn('abc', { ...user, timezone });
    expect(timeZone()).toBe(browserZone);
  });
});
