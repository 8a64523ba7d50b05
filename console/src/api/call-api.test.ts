import { specified } from '@patch/catalogue/testing/specified.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { detailEndpoint } from '@patch/contract/detail-endpoint.ts';
import { searchEndpoint } from '@patch/contract/search-endpoint.ts';
import {
  authenticateEndpoint,
  meEndpoint,
  type SignedInUser,
} from '@patch/contract/sign-in-endpoints.ts';
import { startSyncEndpoint } from '@patch/contract/sync-endpoints.ts';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiCallCancelled, ApiCallError, callApi } from './call-api.ts';
import { onSignedOut, session, signIn, signOut } from './session.ts';

const user: SignedInUser = {
  id: 1,
  name: 'operator',
  email: '',
  userType: 'Admin',
  timezone: null,
  mustChangePassword: false,
};
const almalinux = almalinuxList as unknown as Parameters<typeof searchEndpoint>[0];

const asked = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  asked.mockImplementation(
    async () =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
  );
const refuse = (status: number, code: string, headers = {}) =>
  answer({ userMessage: 'Because.', code, requestId: 'r1' }, status, headers);
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('The call did not fail');
    },
    (failure: unknown) => failure as ApiCallError,
  );

beforeEach(() => {
  vi.stubGlobal('fetch', asked);
  asked.mockReset();
  signIn('the-token', user);
});

afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

describe('what is sent', () => {
  it('goes to /api with path, query and token filled in', async () => {
    answer({
      id: 7,
      packages: [],
      modules: [],
      references: [],
      firstSeenTime: 1,
      changedTime: 1,
      withdrawnTime: null,
    });
    await callApi(detailEndpoint(almalinux), { params: { id: '7' } });
    expect(asked.mock.calls[0]?.[0]).toBe(`${specified.base}/linux/almalinux/7`);
    expect(asked.mock.calls[0]?.[1].headers).toMatchObject({
      Authorization: `${specified.authorization} the-token`,
    });
  });

  it('carries query and body, and leaves out what is undefined', async () => {
    answer({ objList: [], totalCount: 0 });
    await callApi(searchEndpoint(almalinux), {
      query: { offset: 25, size: 25, sort: undefined },
      body: { keyword: 'ü&?' },
    });
    const [url, init] = asked.mock.calls[0] ?? [];
    expect(url).toBe('/api/linux/almalinux/search?offset=25&size=25');
    expect(init?.body).toBe('{"keyword":"ü&?"}');
  });

  it('encodes what stands in a path', async () => {
    refuse(404, 'not_found');
    const odd = { prefix: 'a/../b' } as unknown as { prefix: 'linux' };
    await failureOf(callApi(startSyncEndpoint, { params: odd, query: { service: 'debian' } }));
    expect(asked.mock.calls[0]?.[0]).toBe('/api/a%2F..%2Fb/patchsync/manual?service=debian');
  });
});

describe('what comes back', () => {
  it('is checked against the contract', async () => {
    answer({ id: 'one' }, 200, { 'x-request-id': 'r9' });
    expect(await failureOf(callApi(meEndpoint))).toMatchObject({
      code: 'unexpected_reply',
      requestId: 'r9',
    });
  });

  it('is checked in its first rows only when it is long', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      id: at + 1,
      title: at === 59 ? 7 : 'erratum',
    }));
    answer({ objList: rows, totalCount: 60 });
    expect((await callApi(searchEndpoint(almalinux))).objList).toHaveLength(60);
    answer({ objList: [{ id: 1, title: 7 }, ...rows], totalCount: 61 });
    expect(await failureOf(callApi(searchEndpoint(almalinux)))).toBeInstanceOf(ApiCallError);
  });

  it('is the server’s refusal in its own words', async () => {
    refuse(429, 'locked_out', { 'retry-after': '90' });
    expect(
      await failureOf(callApi(authenticateEndpoint, { body: { username: 'a', password: 'b' } })),
    ).toMatchObject({
      status: 429,
      code: 'locked_out',
      userMessage: 'Because.',
      requestId: 'r1',
      retryAfter: 90,
    });
  });

  it.each([
    ['a proxy’s page', () => answer('<html>Bad gateway</html>', 502)],
    ['no answer', () => asked.mockRejectedValue(new TypeError('Failed to fetch'))],
  ])('is "Unable to connect with server." for %s', async (_, prepare) => {
    prepare();
    expect((await failureOf(callApi(meEndpoint))).userMessage).toBe(specified.errors.unreachable);
  });

  it('is nothing to tell when the caller cancelled', async () => {
    const cancel = new AbortController();
    asked.mockImplementation(async () => {
      cancel.abort();
      throw cancel.signal.reason;
    });
    expect(await failureOf(callApi(meEndpoint, { signal: cancel.signal }))).toBeInstanceOf(
      ApiCallCancelled,
    );
  });

  it('is the specification’s words after 120 seconds', async () => {
    const limit = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation(() => AbortSignal.abort(new DOMException('late', 'TimeoutError')));
    asked.mockImplementation(async (_, init) => {
      throw init.signal?.reason;
    });
    const failure = await failureOf(callApi(meEndpoint));
    expect(limit).toHaveBeenCalledWith(specified.times.apiTimeout);
    limit.mockRestore();
    expect(failure).toMatchObject({ code: 'timeout', userMessage: specified.errors.timeout });
  });
});

describe('a 401', () => {
  it('ends the session once, however many calls were refused together', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const told = vi.fn();
    onTestFinished(onSignedOut(told));
    refuse(401, 'unauthenticated');
    await Promise.all([
      failureOf(callApi(meEndpoint)),
      failureOf(callApi(meEndpoint)),
      failureOf(callApi(meEndpoint)),
    ]);
    expect(session().token).toBeNull();
    expect(told).toHaveBeenCalledExactlyOnceWith('refused');

    // Within the window a second one stays quiet as well.
    signIn('another', user);
    vi.advanceTimersByTime(specified.times.unauthorisedWindow - 1);
    await failureOf(callApi(meEndpoint));
    expect(told).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await failureOf(callApi(meEndpoint));
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('to a token that is no longer the session’s ends nothing', async () => {
    asked.mockImplementation(async () => {
      signIn('newer', user);
      return new Response('{}', { status: 401 });
    });
    await failureOf(callApi(meEndpoint));
    expect(session().token).toBe('newer');
  });

  it('to a sign-in is a wrong password, nothing more', async () => {
    refuse(401, 'wrong_credentials');
    await failureOf(callApi(authenticateEndpoint, { body: { username: 'a', password: 'b' } }));
    expect(session().token).toBe('the-token');
  });
});
