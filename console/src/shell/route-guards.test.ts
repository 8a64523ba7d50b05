import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { isRedirect } from '@tanstack/react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session, signIn, signOut } from '../api/session.ts';
import { leaveLogin, requireSession, wayBack } from './route-guards.ts';

const user: SignedInUser = {
  id: 1,
  name: 'operator',
  email: '',
  userType: 'Admin',
  timezone: null,
  mustChangePassword: false,
};
const asked = vi.fn<() => Promise<Response>>();
const wanted = '/patch-repository/kb-base?keyword=openssl';

const outcomeOf = async (guard: () => unknown) => {
  try {
    await guard();
    return 'passed';
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    const { to, href, search } = thrown.options as { to?: string; href?: string; search?: object };
    return { to: to ?? href, search };
  }
};

let token = 0;

beforeEach(() => {
  vi.stubGlobal('fetch', asked);
  asked.mockReset().mockImplementation(async () => new Response(JSON.stringify(user)));
  token += 1;
});

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

describe('a page below /patch-repository', () => {
  it('sends those without a session to sign in, and knows the way back', async () => {
    expect(await outcomeOf(() => requireSession(wanted))).toEqual({
      to: '/login',
      search: { redirectFrom: wanted },
    });
    expect(asked).not.toHaveBeenCalled();
  });

  it('asks the server once a token who it is', async () => {
    signIn(`token ${token}`, { ...user, name: 'before' });
    expect(await outcomeOf(() => requireSession(wanted))).toBe('passed');
    expect(await outcomeOf(() => requireSession('/patch-repository/sync'))).toBe('passed');
    expect(asked).toHaveBeenCalledTimes(1);
    expect(session().user?.name).toBe('operator');
  });

  it('sends those whose session has ended to sign in', async () => {
    signIn(`token ${token}`, user);
    asked.mockImplementation(async () => new Response('{}', { status: 401 }));
    expect(await outcomeOf(() => requireSession(wanted))).toEqual({
      to: '/login',
      search: { redirectFrom: wanted },
    });
  });

  it('fails when the server cannot be reached, and asks again the next time', async () => {
    signIn(`token ${token}`, user);
    asked.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(requireSession(wanted)).rejects.toMatchObject({
      userMessage: 'Unable to connect with server.',
    });
    expect(await outcomeOf(() => requireSession(wanted))).toBe('passed');
  });

  it('stays closed until a given password has been changed', async () => {
    signIn(`token ${token}`, user);
    asked.mockImplementation(
      async () => new Response(JSON.stringify({ ...user, mustChangePassword: true })),
    );
    expect(await outcomeOf(() => requireSession(wanted))).toMatchObject({ to: '/login' });
    expect(await outcomeOf(() => leaveLogin(undefined))).toBe('passed');
  });
});

describe('the login page', () => {
  it('is left by those who are signed in, to where they wanted to go', async () => {
    signIn(`token ${token}`, user);
    expect(await outcomeOf(() => leaveLogin(wanted))).toMatchObject({ to: wanted });
    expect(await outcomeOf(() => leaveLogin(undefined))).toMatchObject({ to: '/patch-repository' });
  });

  it.each([
    'https://evil.example/',
    '//evil.example/patch-repository',
    '/patch-repositoryx',
    '/login',
    'patch-repository',
    '/\\evil',
  ])('sends nobody to %s', (elsewhere) => {
    expect(wayBack(elsewhere)).toBe('/patch-repository');
  });

  it.each([
    '/patch-repository',
    '/patch-repository?page=2',
    '/patch-repository/sync',
    '/patch-repository#main',
  ])('sends back to %s', (page) => {
    expect(wayBack(page)).toBe(page);
  });
});
