/** Calls an endpoint of the contract and checks the reply. Every failure is an `ApiCallError`. */

import {
  authenticateEndpoint,
  reauthenticationRequired,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { Problem, RpcProblem } from '@patch/contract/base/problem.ts';
import { z } from 'zod';
import { ApiCallCancelled, ApiCallError } from './api-call-error.ts';
import { isGatewayStatus, setConnectionLost } from './connection.ts';
import { askForProof } from './proof-request.ts';
import { session, signOut } from './session.ts';

export { ApiCallCancelled, ApiCallError };

/** Optional when the endpoint takes nothing here or only optional values. */
type CallInput<Name extends string, Input> = undefined extends Input
  ? { readonly [N in Name]?: Input }
  : Record<never, never> extends Input
    ? { readonly [N in Name]?: Input }
    : { readonly [N in Name]: Input };

export type EndpointInput<C extends Endpoint> = CallInput<'params', z.input<C['params']>> &
  CallInput<'query', z.input<C['query']>> &
  CallInput<'body', z.input<C['body']>> & {
    readonly signal?: AbortSignal | undefined;
    /** Sent instead of a body, for endpoints that receive a file. */
    readonly file?: Blob;
  };

export type CallArguments<C extends Endpoint> =
  Record<never, never> extends EndpointInput<C>
    ? [input?: EndpointInput<C>]
    : [input: EndpointInput<C>];

const base = '/api';
const timeoutMs = 120_000;
const unauthorisedWindowMs = 500;
/** Checking all of a thousand rows would delay the first paint. */
const maxCheckedRows = 50;

/**
 * Asks the user to sign in again when the server requires it, then repeats the call once.
 * @throws {ApiCallError} With the server's code, or `unreachable`, `timeout`, `unexpected_reply`.
 * @throws {ApiCallCancelled} When `signal` aborts.
 */
export async function callApi<C extends Endpoint>(
  call: C,
  ...input: CallArguments<C>
): Promise<z.output<C['reply']>> {
  try {
    return await callOnce(call, ...input);
  } catch (failure) {
    const needsProof = failure instanceof ApiCallError && failure.code === reauthenticationRequired;
    if (!needsProof || !(await askForProof())) throw failure;
    return callOnce(call, ...input);
  }
}

async function callOnce<C extends Endpoint>(
  call: C,
  ...input: CallArguments<C>
): Promise<z.output<C['reply']>> {
  const { text, requestId } = await request(call, ...input);
  return parseReply(call, text, requestId);
}

/** Returns the text of a reply that is a file. Throws like {@link callApi}. */
export async function callForFile<C extends Endpoint>(
  call: C,
  ...input: CallArguments<C>
): Promise<string> {
  return (await request(call, ...input)).text;
}

async function request<C extends Endpoint>(
  call: C,
  ...[input]: CallArguments<C>
): Promise<{ readonly text: string; readonly requestId: string | null }> {
  const { params, query, body, signal, file } = (input ?? {}) as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
    signal?: AbortSignal;
    file?: Blob;
  };
  const { token } = session();
  const timeoutSignal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(buildAddress(call, params, query), {
      method: call.method,
      headers: {
        ...buildHeaders(body, token),
        ...(file !== undefined && { 'Content-Type': 'application/octet-stream' }),
      },
      signal: signal === undefined ? timeoutSignal : AbortSignal.any([signal, timeoutSignal]),
      ...(file !== undefined
        ? { body: file }
        : body === undefined || body === null
          ? {}
          : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw toRefusal(response, text);
    setConnectionLost(false);
    return { text, requestId: response.headers.get('x-request-id') };
  } catch (failure) {
    if (signal?.aborted) throw new ApiCallCancelled('The call was cancelled', { cause: failure });
    if (timeoutSignal.aborted)
      throw new ApiCallError(0, 'timeout', 'Request timeout reached, Please Try again', {
        cause: failure,
      });
    if (!(failure instanceof ApiCallError)) throw toUnreachableError(failure);
    if (failure.status === 401 && call.name !== authenticateEndpoint.name) endRefusedSession(token);
    throw failure;
  }
}

/** Opens a stream of server-sent events, which lasts until `signal` aborts. Throws like {@link callApi}. */
export async function openEvents(
  call: Endpoint,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { token } = session();
  try {
    const response = await fetch(buildAddress(call), {
      headers: { ...buildHeaders(null, token), Accept: 'text/event-stream' },
      signal,
    });
    if (!response.ok) throw toRefusal(response, await response.text());
    if (response.body === null)
      throw new ApiCallError(0, 'unexpected_reply', 'Unable to connect with server.');
    setConnectionLost(false);
    return response.body;
  } catch (failure) {
    if (signal.aborted) throw new ApiCallCancelled('The call was cancelled', { cause: failure });
    if (!(failure instanceof ApiCallError)) throw toUnreachableError(failure);
    if (failure.status === 401) endRefusedSession(token);
    throw failure;
  }
}

function toUnreachableError(cause: unknown): ApiCallError {
  setConnectionLost(true);
  return new ApiCallError(0, 'unreachable', 'Unable to connect with server.', { cause });
}

function buildAddress(
  call: Endpoint,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${call.name} needs the path parameter ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size === 0 ? base + path : `${base}${path}?${search}`;
}

function buildHeaders(body: unknown, token: string | null): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(body === undefined || body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(token === null ? {} : { Authorization: `Apikey ${token}` }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const anyProblem = z.union([Problem, RpcProblem]);

/** Uses the server's message; an HTML page of a proxy contains nothing that helps the user. */
function toRefusal(response: Response, text: string): ApiCallError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  const problem = anyProblem.safeParse(parseJson(text));
  if (problem.success) {
    setConnectionLost(false);
    const { userMessage, code, requestId } = problem.data;
    return new ApiCallError(response.status, code, userMessage, { requestId, retryAfter });
  }
  const requestId = response.headers.get('x-request-id');
  if (isGatewayStatus(response.status)) setConnectionLost(true);
  return new ApiCallError(response.status, 'unexpected_reply', 'Unable to connect with server.', {
    requestId,
    retryAfter,
  });
}

function parseReply<C extends Endpoint>(
  call: C,
  text: string,
  requestId: string | null,
): z.output<C['reply']> {
  const reply = parseJson(text);
  const rows = (reply as { objList?: unknown } | null | undefined)?.objList;
  const long = Array.isArray(rows) && rows.length > maxCheckedRows;
  const checked = call.reply.safeParse(
    long ? { ...(reply as object), objList: rows.slice(0, maxCheckedRows) } : reply,
  );
  if (!checked.success) {
    const message =
      'The server sent an unexpected reply. Reload the page; it may be older than the server.';
    throw new ApiCallError(0, 'unexpected_reply', message, { requestId, cause: checked.error });
  }
  return (long ? reply : checked.data) as z.output<C['reply']>;
}

let lastEndedAt = Number.NEGATIVE_INFINITY;

/** Refusals at the same time end the session once; a call with an older token does not end the session that followed. */
function endRefusedSession(token: string | null): void {
  const now = performance.now();
  if (token === null || session().token !== token || now - lastEndedAt < unauthorisedWindowMs)
    return;
  lastEndedAt = now;
  signOut('refused');
}
