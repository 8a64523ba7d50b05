/** Sends requests to the repository with retries: the wait grows with each attempt, and a Retry-After is respected. */
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Problem } from '@patch/contract/base/problem.ts';
import { ClientFailure, RepositoryRefusal } from './client-failure.ts';
import type { CommandRun, RepositoryOptions } from './command-line.ts';

/** `complain` is called before the wait for the next attempt. */
export type RequestContext = Pick<CommandRun<RepositoryOptions>, 'options' | 'signal' | 'complain'>;

export interface RepositoryRequest {
  readonly method: 'GET' | 'POST';
  /** Path below /api, with its query. */
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** Compresses the body. */
  readonly gzip?: boolean;
  /** ETag of the reply that the client already has. */
  readonly tag?: string;
}

export interface Reply {
  /** Undefined when the reply that the client already has is still valid. */
  readonly json: unknown;
  readonly tag: string | null;
}

const maxWaitMs = 5 * 60_000;
export const requestTimeoutMs = 120_000;

export const requestRepository = async (
  context: RequestContext,
  request: RepositoryRequest,
): Promise<Reply> => repeatRequest(context, () => tryOnce(context, request));

/** Repeats a request until there is a reply. Throws a ClientFailure after the last attempt. */
export async function repeatRequest<Result>(
  { options: { tries, retryAfterMs }, signal, complain }: RequestContext,
  attemptOnce: () => Promise<AttemptResult<Result>>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await attemptOnce();
    if (result.kind === 'reply') return result.reply;
    signal.throwIfAborted();
    if (attempt >= tries)
      throw new ClientFailure('unreachable', `${result.why} Given up after ${attempt} tries.`, {
        cause: result.cause,
      });
    // Randomized, so that not all clients return at once after an outage.
    const pause = Math.min(
      result.waitMs ?? retryAfterMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2),
      maxWaitMs,
    );
    complain(`${result.why} Trying again in ${(pause / 1000).toFixed(1)} s.`);
    await wait(pause, undefined, { signal });
  }
}

interface FailedAttempt {
  readonly kind: 'failed';
  readonly why: string;
  readonly waitMs?: number;
  readonly cause?: unknown;
}

export type AttemptResult<Result> =
  | { readonly kind: 'reply'; readonly reply: Result }
  | FailedAttempt;

async function tryOnce(
  { options: { server }, signal }: RequestContext,
  { method, path, token, body, gzip = false, tag }: RepositoryRequest,
): Promise<AttemptResult<Reply>> {
  try {
    const response = await fetch(`${server}/api${path}`, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Apikey ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(gzip && { 'content-encoding': 'gzip' }),
        ...(tag !== undefined && { 'if-none-match': tag }),
      },
      ...(body !== undefined && {
        body: gzip ? gzipSync(JSON.stringify(body)) : JSON.stringify(body),
      }),
    });
    if (response.status === 304)
      return { kind: 'reply', reply: { json: undefined, tag: tag ?? null } };
    // Reads the reply to its end before using it, because the connection may break in the middle.
    const text = await response.text();
    if (response.ok)
      return {
        kind: 'reply',
        reply: { json: JSON.parse(text), tag: response.headers.get('etag') },
      };
    return toFailure(response, text);
  } catch (error) {
    if (error instanceof RepositoryRefusal || signal.aborted) throw error;
    return failedBy(server, error);
  }
}

/** The connection to an address has failed. */
export const failedBy = (address: string, cause: unknown): FailedAttempt => ({
  kind: 'failed',
  why: `${address} does not respond correctly: ${findReason(cause)}.`,
  cause,
});

/** The status says that the request may succeed later. */
export function failedWith({ headers }: Response, why: string): FailedAttempt {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return { kind: 'failed', why, ...(Number.isFinite(seconds) && { waitMs: seconds * 1000 }) };
}

function toFailure(response: Response, text: string): FailedAttempt {
  const { status } = response;
  const problem = problemIn(text);
  const words = problem?.userMessage ?? `The repository answered ${status}.`;
  if (status < 500 && status !== 429 && status !== 408)
    throw new RepositoryRefusal(status, problem?.code ?? '', words);
  return failedWith(response, words);
}

function problemIn(text: string): Problem | null {
  try {
    return Problem.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Finds the root cause: fetch states the reason only there. */
function findReason(error: unknown): string {
  const causes: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) causes.push(one.message || one.name);
  return causes.at(-1) ?? String(error);
}
