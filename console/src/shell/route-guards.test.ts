import { meEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { isRedirect } from '@tanstack/react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { session, signIn } from '../api/session.ts';
import { addReplies, disconnect, refuse, reply, sentCalls } from '../testing/fake-api.ts';
import { signedInUser } from '../testing/sign-in-as.ts';
import { leaveLogin, requireSession, wayBack } from './route-guards.ts';

const user = signedInUser({ name: 'operator', timezone: null });
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
  addReplies(reply(meEndpoint, user));
  token += 1;
});

describe('a page below /patch-repository', () => {
  it('sends those without a session to sign in, and knows the way back', async () => {
    expect(await outcomeOf(() => requireSession(wanted))).toEqual({
      to: '/login',
      search: { redirectFrom: wanted },
    });
    expect(sentCalls()).toEqual([]);
  });

  it('asks the server once a token who it is', async () => {
    signIn(`token ${token}`, { ...user, name: 'before' });
    expect(await outcomeOf(() => requireSession(wanted))).toBe('passed');
    expect(await outcomeOf(() => requireSession('/patch-repository/sync'))).toBe('passed');
    expect(sentCalls()).toHaveLength(1);
    expect(session().user?.name).toBe('operator');
  });

  it('sends those whose session has ended to sign in', async () => {
    signIn(`token ${token}`, user);
    addReplies(refuse(meEndpoint, 401));
    expect(await outcomeOf(() => requireSession(wanted))).toEqual({
      to: '/login',
      search: { redirectFrom: wanted },
    });
  });

  it('fails when the server cannot be reached, and asks again the next time', async () => {
    signIn(`token ${token}`, user);
    addReplies(disconnect(meEndpoint));
    await expect(requireSession(wanted)).rejects.toMatchObject({
      userMessage: 'Unable to connect with server.',
    });
    addReplies(reply(meEndpoint, user));
    expect(await outcomeOf(() => requireSession(wanted))).toBe('passed');
  });

  it('stays closed until a given password has been changed', async () => {
    signIn(`token ${token}`, user);
    addReplies(reply(meEndpoint, { ...user, mustChangePassword: true }));
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
