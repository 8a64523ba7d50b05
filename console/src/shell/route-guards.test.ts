import { meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { isRedirect } from '@tanstack/react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { session, signIn } from '../api/session.ts';
import { addReplies, disconnect, refuse, reply, sentCalls } from '../testing/fake-api.ts';
import { signedInUser } from '../testing/sign-in-as.ts';
import { leaveLogin, requireSession, toSafeRedirect } from './route-guards.ts';

const user = signedInUser({ name: 'operator', timezone: null });
const requestedPath = '/patch-repository/kb-base?keyword=openssl';

const runGuard = async (guard: () => unknown) => {
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
  addReplies(reply(meEndpoint, user));
  token += 1;
});

describe('requireSession', () => {
  it('sends users without a session to the login page, with the way back', async () => {
    expect(await runGuard(() => requireSession(requestedPath))).toEqual({
      to: '/login',
      search: { redirectFrom: requestedPath },
    });
    expect(sentCalls()).toEqual([]);
  });

  it('requests the user of a token once', async () => {
    signIn(`token ${token}`, { ...user, name: 'before' });
    expect(await runGuard(() => requireSession(requestedPath))).toBe('passed');
    expect(await runGuard(() => requireSession('/patch-repository/sync'))).toBe('passed');
    expect(sentCalls()).toHaveLength(1);
    expect(session().user?.name).toBe('operator');
  });

  it('sends users with an ended session to the login page', async () => {
    signIn(`token ${token}`, user);
    addReplies(refuse(meEndpoint, 401));
    expect(await runGuard(() => requireSession(requestedPath))).toEqual({
      to: '/login',
      search: { redirectFrom: requestedPath },
    });
  });

  it('fails when the server is unreachable, and retries the next time', async () => {
    signIn(`token ${token}`, user);
    addReplies(disconnect(meEndpoint));
    await expect(requireSession(requestedPath)).rejects.toMatchObject({
      userMessage: 'Unable to connect with server.',
    });
    addReplies(reply(meEndpoint, user));
    expect(await runGuard(() => requireSession(requestedPath))).toBe('passed');
  });

  it('denies access until a temporary password has been changed', async () => {
    signIn(`token ${token}`, user);
    addReplies(reply(meEndpoint, { ...user, mustChangePassword: true }));
    expect(await runGuard(() => requireSession(requestedPath))).toMatchObject({ to: '/login' });
    expect(await runGuard(() => leaveLogin(undefined))).toBe('passed');
  });
});

describe('leaveLogin', () => {
  it('sends signed-in users to the page that they requested', async () => {
    signIn(`token ${token}`, user);
    expect(await runGuard(() => leaveLogin(requestedPath))).toMatchObject({ to: requestedPath });
    expect(await runGuard(() => leaveLogin(undefined))).toMatchObject({ to: '/patch-repository' });
  });

  it.each([
    'https://evil.example/',
    '//evil.example/patch-repository',
    '/patch-repositoryx',
    '/login',
    'patch-repository',
    '/\\evil',
  ])('sends nobody to %s', (foreignAddress) => {
    expect(toSafeRedirect(foreignAddress)).toBe('/patch-repository');
  });

  it.each([
    '/patch-repository',
    '/patch-repository?page=2',
    '/patch-repository/sync',
    '/patch-repository#main',
  ])('sends users back to %s', (page) => {
    expect(toSafeRedirect(page)).toBe(page);
  });
});
