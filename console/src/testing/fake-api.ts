/** A fake server for tests, with replies by endpoint. A call without a reply, or a reply that does not match its schema, fails the test. */

import type { HttpRequestEventMap, Interceptor } from '@mswjs/interceptors';
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { Problem } from '@patch/contract/base/problem.ts';
import { defineNetwork, InterceptorSource } from 'msw/experimental';
import { type HttpHandler, HttpResponse, http } from 'msw/http';
import type { z } from 'zod';

/** A call of the console. `path` is decoded and relative to /api; `body` is null without one. */
export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The call that a resolver receives. Path parameters are decoded. */
interface ReceivedCall extends SentCall {
  /** The encoded URL, as it was sent. */
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

type ReplyBody<C extends Endpoint> = z.output<C['reply']>;
type Resolver<Body> = (call: ReceivedCall) => Body | Response | Promise<Body | Response>;

const base = '/api';
// Replaces the page's `fetch`. `setupServer` would use sockets, which fake timers do not advance. The package
// declares the class for browsers and for Node separately; the types differ only in name.
const fetchInterceptor = new FetchInterceptor() as unknown as Interceptor<HttpRequestEventMap>;
const network = defineNetwork({
  sources: [new InterceptorSource({ interceptors: [fetchInterceptor] })],
  handlers: [],
  context: { quiet: true },
  onUnhandledFrame() {
    throw new Error('No call of a test leaves this machine');
  },
});
let failures: string[] = [];
let calls: SentCall[] = [];

network.enable();
network.events.on('request:start', ({ request }) => void record(request));
network.events.on('request:unhandled', ({ request }) => {
  failures.push(`The test has no reply for ${request.method} ${request.url}`);
});

/** Clears the replies and calls of the finished test. Throws when a call had no reply or a reply did not match its schema. */
export function resetApi(): void {
  const found = failures;
  network.resetHandlers();
  failures = [];
  calls = [];
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** Returns the calls of the running test so far, in order. */
export function sentCalls(): readonly SentCall[] {
  return calls;
}

/** Returns those of the calls that went to the endpoint. */
export function sentTo({ method, path }: Endpoint): readonly SentCall[] {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return calls.filter((call) => call.method === method && pattern.test(call.path));
}

/** Returns the bodies of the calls that went to the endpoint. */
export function bodiesSentTo(endpoint: Endpoint): readonly unknown[] {
  return sentTo(endpoint).map(({ body }) => body);
}

/** Adds replies to the running test. Later ones take precedence for the same endpoint. */
export function addReplies(...replies: readonly HttpHandler[]): void {
  network.use(...replies);
}

/** Answers every call of the endpoint with `body`, or with the result of the function. */
export function reply<C extends Endpoint>(
  endpoint: C,
  body: ReplyBody<C> | Resolver<ReplyBody<C>>,
): HttpHandler {
  if (typeof body !== 'function') assertFits(endpoint, body);
  return respond(endpoint, async (call) => {
    const result = typeof body === 'function' ? await (body as Resolver<ReplyBody<C>>)(call) : body;
    if (result instanceof Response) return result;
    assertFits(endpoint, result);
    return Response.json(result, { status: endpoint.status ?? 200 });
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

/** Creates a refusal of the server. Tests set the fields that matter to them. */
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

/** Fails every call of the endpoint like an unreachable server. */
export function disconnect(endpoint: Endpoint): HttpHandler {
  return respond(endpoint, () => HttpResponse.error());
}

/** Answers with any response, for what a correct server never sends: a proxy's page, a malformed body, a manual stream. */
export function respond(
  endpoint: Endpoint,
  resolver: (call: ReceivedCall) => Response | Promise<Response>,
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
      failures.push(String(failure));
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

function parseCall(request: Request): Pick<SentCall, 'method' | 'path' | 'query'> {
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
  return { ...parseCall(request), body: text === '' ? null : (JSON.parse(text) as unknown) };
}

/** Adds the call before its body is read, so that the order is correct. */
async function record(request: Request): Promise<void> {
  const index = calls.push({ ...parseCall(request), body: null }) - 1;
  const list = calls;
  const call = await read(request);
  list[index] = call;
}
