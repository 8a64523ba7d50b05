/** The server as a test describes it: replies by endpoint of the contract. A call without a reply, and a reply that its schema refuses, fail the test. */

import type { HttpRequestEventMap, Interceptor } from '@mswjs/interceptors';
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web';
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { Problem } from '@patch/contract/problem.ts';
import { defineNetwork, InterceptorSource } from 'msw/experimental';
import { type HttpHandler, HttpResponse, http } from 'msw/http';
import type { z } from 'zod';

/** A call as the console made it: the path below /api, decoded; `body` is null where none was sent. */
export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a resolver is given; path parameters are decoded. */
interface AskedCall extends SentCall {
  /** The address as it was sent, with what the path and the query encode. */
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

type ReplyBody<C extends Endpoint> = z.output<C['reply']>;
type Resolver<Body> = (asked: AskedCall) => Body | Response | Promise<Body | Response>;

const base = '/api';
// The page's own `fetch` is replaced. `setupServer` would go through sockets here, which faked timers never move on.
// The package declares the class for browsers and for Node separately, which only differ in name.
const inPage = new FetchInterceptor() as unknown as Interceptor<HttpRequestEventMap>;
const network = defineNetwork({
  sources: [new InterceptorSource({ interceptors: [inPage] })],
  handlers: [],
  context: { quiet: true },
  onUnhandledFrame() {
    throw new Error('No call of a test leaves this machine');
  },
});
let faults: string[] = [];
let calls: SentCall[] = [];

network.enable();
network.events.on('request:start', ({ request }) => void record(request));
network.events.on('request:unhandled', ({ request }) => {
  faults.push(`The test has no reply for ${request.method} ${request.url}`);
});

/** Forgets replies and calls of the test that ends; throws where a call had no reply or a reply did not fit. */
export function resetApi(): void {
  const found = faults;
  network.resetHandlers();
  faults = [];
  calls = [];
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** Calls of the running test so far, in their order. */
export function sentCalls(): readonly SentCall[] {
  return calls;
}

/** Adds replies to the running test; a later one comes before an earlier one of the same endpoint. */
export function addReplies(...replies: readonly HttpHandler[]): void {
  network.use(...replies);
}

/** Answers every call of the endpoint with the body, or with what the function returns for the call. */
export function reply<C extends Endpoint>(
  endpoint: C,
  body: ReplyBody<C> | Resolver<ReplyBody<C>>,
): HttpHandler {
  if (typeof body !== 'function') assertFits(endpoint, body);
  return respond(endpoint, async (asked) => {
    const given = typeof body === 'function' ? await (body as Resolver<ReplyBody<C>>)(asked) : body;
    if (given instanceof Response) return given;
    assertFits(endpoint, given);
    return Response.json(given, { status: endpoint.status ?? 200 });
  });
}

/** Refuses every call of the endpoint; see `refusal`. */
export function refuse(
  endpoint: Endpoint,
  status: number,
  problem: Partial<Problem> = {},
  headers: Record<string, string> = {},
): HttpHandler {
  return respond(endpoint, () => refusal(status, problem, headers));
}

/** The server's refusal, with words of the test's own where they matter. */
export function refusal(
  status: number,
  {
    userMessage = `Refused with ${status}.`,
    code = 'refused',
    requestId = 'req-42',
  }: Partial<Problem> = {},
  headers: Record<string, string> = {},
): Response {
  return Response.json({ userMessage, code, requestId }, { status, headers });
}

/** Fails every call of the endpoint as an unreachable server does. */
export function disconnect(endpoint: Endpoint): HttpHandler {
  return respond(endpoint, () => HttpResponse.error());
}

/** Answers with any response at all, for what no good server sends: a proxy's page, a malformed body, a stream by hand. */
export function respond(
  endpoint: Endpoint,
  resolver: (asked: AskedCall) => Response | Promise<Response>,
): HttpHandler {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
  return http[method](`*${base}${path}`, async ({ request, params }) => {
    try {
      return await resolver({
        ...(await read(request)),
        url: new URL(request.url),
        params: params as Record<string, string>,
        headers: request.headers,
        signal: request.signal,
      });
    } catch (failure) {
      faults.push(String(failure));
      throw failure;
    }
  });
}

function assertFits(endpoint: Endpoint, body: unknown): void {
  const checked = endpoint.reply.safeParse(body);
  if (!checked.success)
    throw new Error(
      `The reply of ${endpoint.name} does not fit its schema: ${checked.error.message}`,
    );
}

function placeOf(request: Request): Pick<SentCall, 'method' | 'path' | 'query'> {
  const { pathname, searchParams } = new URL(request.url);
  return {
    method: request.method,
    path: decodeURIComponent(pathname.replace(base, '')),
    query: Object.fromEntries(searchParams),
  };
}

async function read(request: Request): Promise<SentCall> {
  const isJson = request.headers.get('content-type')?.includes('json') === true;
  const text = isJson ? await request.clone().text() : '';
  return { ...placeOf(request), body: text === '' ? null : (JSON.parse(text) as unknown) };
}

/** The call keeps its place in the order while its body is read. */
async function record(request: Request): Promise<void> {
  const place = calls.push({ ...placeOf(request), body: null }) - 1;
  const list = calls;
  const call = await read(request);
  list[place] = call;
}
