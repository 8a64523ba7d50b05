/** Makes a call of the contract: path and query filled in, token sent, the reply checked, every failure one `ApiCallError`. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import { Problem } from '@patch/contract/problem.ts';
import {
  authenticateEndpoint,
  reauthenticationRequired,
} from '@patch/contract/sign-in-endpoints.ts';
import type { z } from 'zod';
import { ApiCallCancelled, ApiCallError } from './api-call-error.ts';
import { isGatewayStatus, setConnectionLost } from './connection.ts';
import { askForProof } from './proof-request.ts';
import { session, signOut } from './session.ts';

export { ApiCallCancelled, ApiCallError };

/** An input that may be left out when the call takes nothing there or only optional things. */
type Given<Name extends string, Input> = undefined extends Input
  ? { readonly [N in Name]?: Input }
  : Record<never, never> extends Input
    ? { readonly [N in Name]?: Input }
    : { readonly [N in Name]: Input };

export type EndpointInput<C extends Endpoint> = Given<'params', z.input<C['params']>> &
  Given<'query', z.input<C['query']>> &
  Given<'body', z.input<C['body']>> & {
    readonly signal?: AbortSignal | undefined;
    /** For a call that receives one, in the place of a body. */
    readonly file?: Blob;
  };

type Arguments<C extends Endpoint> =
  Record<never, never> extends EndpointInput<C>
    ? [input?: EndpointInput<C>]
    : [input: EndpointInput<C>];

const base = '/api';
const timeout = 120_000;
const unauthorisedWindow = 500;
/** Of a longer reply only so many rows are checked: a thousand rows would hold up the first paint. */
const rowsChecked = 50;

/** Where the server asks for a fresh proof of who the person is, they are asked for it, and the call is made once more. */
export async function callApi<C extends Endpoint>(
  call: C,
  ...input: Arguments<C>
): Promise<z.output<C['reply']>> {
  try {
    return await callOnce(call, ...input);
  } catch (failure) {
    const asks = failure instanceof ApiCallError && failure.code === reauthenticationRequired;
    if (!asks || !(await askForProof())) throw failure;
    return callOnce(call, ...input);
  }
}

async function callOnce<C extends Endpoint>(
  call: C,
  ...[input]: Arguments<C>
): Promise<z.output<C['reply']>> {
  const { params, query, body, signal, file } = (input ?? {}) as {
    params?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
    signal?: AbortSignal;
    file?: Blob;
  };
  const { token } = session();
  const outOfTime = AbortSignal.timeout(timeout);
  try {
    const response = await fetch(address(call, params, query), {
      method: call.method,
      headers: {
        ...headersOf(body, token),
        ...(file !== undefined && { 'Content-Type': 'application/octet-stream' }),
      },
      signal: signal === undefined ? outOfTime : AbortSignal.any([signal, outOfTime]),
      ...(file !== undefined
        ? { body: file }
        : body === undefined || body === null
          ? {}
          : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw refusal(response, text);
    setConnectionLost(false);
    return checkedReply(call, text, response.headers.get('x-request-id'));
  } catch (failure) {
    if (signal?.aborted) throw new ApiCallCancelled('The call was cancelled', { cause: failure });
    if (outOfTime.aborted)
      throw new ApiCallError(0, 'timeout', 'Request timeout reached, Please Try again', {
        cause: failure,
      });
    if (!(failure instanceof ApiCallError)) throw unreachable(failure);
    if (failure.status === 401 && call.name !== authenticateEndpoint.name) endRefusedSession(token);
    throw failure;
  }
}

/** Begins a call that answers with a stream of events; a refusal is told like any other call's. The stream lasts until `signal` is aborted. */
export async function openEvents(
  call: Endpoint,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { token } = session();
  try {
    const response = await fetch(address(call), {
      headers: { ...headersOf(null, token), Accept: 'text/event-stream' },
      signal,
    });
    if (!response.ok) throw refusal(response, await response.text());
    if (response.body === null)
      throw new ApiCallError(0, 'unexpected_reply', 'Unable to connect with server.');
    setConnectionLost(false);
    return response.body;
  } catch (failure) {
    if (signal.aborted) throw new ApiCallCancelled('The call was cancelled', { cause: failure });
    if (!(failure instanceof ApiCallError)) throw unreachable(failure);
    if (failure.status === 401) endRefusedSession(token);
    throw failure;
  }
}

function unreachable(cause: unknown): ApiCallError {
  setConnectionLost(true);
  return new ApiCallError(0, 'unreachable', 'Unable to connect with server.', { cause });
}

function address(
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

function headersOf(body: unknown, token: string | null): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(body === undefined || body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(token === null ? {} : { Authorization: `Apikey ${token}` }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A refusal in the server's own words; a proxy's page of HTML says nothing that a person could use. */
function refusal(response: Response, text: string): ApiCallError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  const problem = Problem.safeParse(parsed(text));
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

function checkedReply<C extends Endpoint>(
  call: C,
  text: string,
  requestId: string | null,
): z.output<C['reply']> {
  const reply = parsed(text);
  const rows = (reply as { objList?: unknown } | null | undefined)?.objList;
  const long = Array.isArray(rows) && rows.length > rowsChecked;
  const checked = call.reply.safeParse(
    long ? { ...(reply as object), objList: rows.slice(0, rowsChecked) } : reply,
  );
  if (!checked.success) {
    const words =
      'The server answered in a way this page does not understand. Reload the page; it may be older than the server.';
    throw new ApiCallError(0, 'unexpected_reply', words, { requestId, cause: checked.error });
  }
  return (long ? reply : checked.data) as z.output<C['reply']>;
}

let fieldErrors = Number.NEGATIVE_INFINITY;

/** Ten calls refused together end the session once; one made with an older token does not end the session that followed. */
function endRefusedSession(token: string | null): void {
  const now = performance.now();
  if (token === null || session().token !== token || now - fieldErrors < unauthorisedWindow) return;
  fieldErrors = now;
  signOut('refused');
}
