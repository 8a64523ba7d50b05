import { specified } from '@patch/catalogue/testing/specified.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { authenticateEndpoint, meEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addReplies, disconnect, refusal, refuse, respond } from '../testing/fake-api.ts';
import { signedInUser } from '../testing/sign-in-as.ts';
import { ApiCallCancelled, ApiCallError, callApi } from './call-api.ts';
import { onSignedOut, session, signIn } from './session.ts';

const user = signedInUser({ name: 'operator', timezone: null });
const almalinux = almalinuxList as unknown as Parameters<typeof searchEndpoint>[0];
const toProblem = (code: string) => ({ userMessage: 'Because.', code, requestId: 'r1' });
/** Never resolves. */
const waitForever = () => new Promise<Response>(() => undefined);
const readFailure = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('The call did not fail');
    },
    (failure: unknown) => failure as ApiCallError,
  );

beforeEach(() => signIn('the-token', user));

describe('the request', () => {
  /** Refuses the call, and returns what it receives. */
  function receive(endpoint: Endpoint) {
    const received =
      vi.fn<(address: string, authorization: string | null, body: unknown) => void>();
    addReplies(
      respond(endpoint, ({ url: { pathname, search }, headers, body }) => {
        received(pathname + search, headers.get('authorization'), body);
        return refusal(404);
      }),
    );
    return received;
  }
  const authorization = `${specified.authorization} the-token`;

  it('contains the path parameters, encoded, and the token', async () => {
    const received = receive(detailEndpoint(almalinux));
    await readFailure(callApi(detailEndpoint(almalinux), { params: { id: 'a/../b' } }));
    const address = `${specified.base}/linux/almalinux/a%2F..%2Fb`;
    expect(received).toHaveBeenCalledExactlyOnceWith(address, authorization, null);
  });

  it('contains query and body without undefined values', async () => {
    const received = receive(searchEndpoint(almalinux));
    const query = { offset: 25, size: 25, sort: undefined };
    const body = { keyword: 'ü&?' };
    await readFailure(callApi(searchEndpoint(almalinux), { query, body }));
    const address = '/api/linux/almalinux/search?offset=25&size=25';
    expect(received).toHaveBeenCalledExactlyOnceWith(address, authorization, body);
  });
});

describe('the reply', () => {
  it('is checked against the contract', async () => {
    addReplies(
      respond(meEndpoint, () =>
        Response.json({ id: 'one' }, { headers: { 'x-request-id': 'r9' } }),
      ),
    );
    expect(await readFailure(callApi(meEndpoint))).toMatchObject({
      code: 'unexpected_reply',
      requestId: 'r9',
    });
  });

  it('is checked in its first 50 rows when it has more', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      id: at + 1,
      title: at === 59 ? 7 : 'erratum',
    }));
    const search = searchEndpoint(almalinux);
    addReplies(respond(search, () => Response.json({ objList: rows, totalCount: 60 })));
    expect((await callApi(search)).objList).toHaveLength(60);
    const odd = { objList: [{ id: 1, title: 7 }, ...rows], totalCount: 61 };
    addReplies(respond(search, () => Response.json(odd)));
    expect(await readFailure(callApi(search))).toBeInstanceOf(ApiCallError);
  });

  it('rejects with the message and code of a refusal', async () => {
    addReplies(refuse(authenticateEndpoint, 429, toProblem('locked_out'), { 'retry-after': '90' }));
    expect(
      await readFailure(callApi(authenticateEndpoint, { body: { username: 'a', password: 'b' } })),
    ).toMatchObject({
      status: 429,
      code: 'locked_out',
      userMessage: 'Because.',
      requestId: 'r1',
      retryAfter: 90,
    });
  });

  it.each([
    [
      'a proxy’s page',
      respond(meEndpoint, () => new Response('<html>Bad gateway</html>', { status: 502 })),
    ],
    ['no answer', disconnect(meEndpoint)],
  ])('rejects with "Unable to connect with server." for %s', async (_, answer) => {
    addReplies(answer);
    expect((await readFailure(callApi(meEndpoint))).userMessage).toBe(specified.errors.unreachable);
  });

  it('rejects with ApiCallCancelled when the caller aborts', async () => {
    const cancel = new AbortController();
    addReplies(
      respond(meEndpoint, () => {
        cancel.abort();
        return waitForever();
      }),
    );
    expect(await readFailure(callApi(meEndpoint, { signal: cancel.signal }))).toBeInstanceOf(
      ApiCallCancelled,
    );
  });

  it('rejects with the specified timeout message after 120 seconds', async () => {
    const late = new AbortController();
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    onTestFinished(() => limit.mockRestore());
    addReplies(
      respond(meEndpoint, () => {
        late.abort(new DOMException('late', 'TimeoutError'));
        return waitForever();
      }),
    );
    const failure = await readFailure(callApi(meEndpoint));
    expect(limit).toHaveBeenCalledWith(specified.times.apiTimeout);
    expect(failure).toMatchObject({ code: 'timeout', userMessage: specified.errors.timeout });
  });
});

describe('a 401 reply', () => {
  it('ends the session once when several calls are refused at the same time', async () => {
    // Tests before and after this one share the time of the last end: the clock of this test lies between them.
    const window = specified.times.unauthorisedWindow;
    await new Promise((resolve) => setTimeout(resolve, 3 * window));
    let now = Math.floor(performance.now()) - 2 * window;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const onEnd = vi.fn();
    onTestFinished(onSignedOut(onEnd));
    addReplies(refuse(meEndpoint, 401, toProblem('unauthenticated')));
    await Promise.all([
      readFailure(callApi(meEndpoint)),
      readFailure(callApi(meEndpoint)),
      readFailure(callApi(meEndpoint)),
    ]);
    expect(session().token).toBeNull();
    expect(onEnd).toHaveBeenCalledExactlyOnceWith('refused');

    // A second refusal within the window ends nothing.
    signIn('another', user);
    now += window - 1;
    await readFailure(callApi(meEndpoint));
    expect(onEnd).toHaveBeenCalledTimes(1);
    now += 1;
    await readFailure(callApi(meEndpoint));
    expect(onEnd).toHaveBeenCalledTimes(2);
  });

  it('keeps the session when it answers an older token', async () => {
    addReplies(
      respond(meEndpoint, () => {
        signIn('newer', user);
        return new Response('{}', { status: 401 });
      }),
    );
    await readFailure(callApi(meEndpoint));
    expect(session().token).toBe('newer');
  });

  it('keeps the session when it answers a sign-in', async () => {
    addReplies(refuse(authenticateEndpoint, 401, toProblem('wrong_credentials')));
    await readFailure(callApi(authenticateEndpoint, { body: { username: 'a', password: 'b' } }));
    expect(session().token).toBe('the-token');
  });
});
