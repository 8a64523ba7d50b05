/** Asks the repository, and again when it does not answer: waits longer each time, and as long as it says. */
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Problem } from '@patch/contract/problem.ts';
import { ClientFailure, RepositoryRefusal } from './client-failure.ts';

export interface Asking {
  /** The repository's address without a slash at its end. */
  readonly server: string;
  readonly tries: number;
  readonly retryAfterMs: number;
  readonly signal: AbortSignal;
  /** Told before it waits for the next try. */
  readonly onRetry: (words: string) => void;
}

export interface Ask {
  readonly method: 'GET' | 'POST';
  /** Below /api, with its query. */
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** The body is sent compressed. */
  readonly gzip?: boolean;
  /** Of the reply that is there already. */
  readonly tag?: string;
}

export interface Reply {
  /** Undefined: the reply that is there already still holds. */
  readonly json: unknown;
  readonly tag: string | null;
}

const maxWaitMs = 5 * 60_000;
const answersWithin = 120_000;

export async function askRepository(asking: Asking, ask: Ask): Promise<Reply> {
  const { tries, retryAfterMs, signal, onRetry } = asking;
  for (let attempt = 1; ; attempt += 1) {
    const failed = await tryOnce(asking, ask);
    if (failed.kind === 'reply') return failed.reply;
    signal.throwIfAborted();
    if (attempt >= tries)
      throw new ClientFailure('unreachable', `${failed.why} Given up after ${attempt} tries.`, {
        cause: failed.cause,
      });
    // Not all clients at once, when a repository comes back.
    const pause = Math.min(
      failed.waitMs ?? retryAfterMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2),
      maxWaitMs,
    );
    onRetry(`${failed.why} Trying again in ${(pause / 1000).toFixed(1)} s.`);
    await wait(pause, undefined, { signal });
  }
}

type Tried =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly waitMs?: number;
      readonly cause?: unknown;
    };

async function tryOnce(
  { server, signal }: Asking,
  { method, path, token, body, gzip = false, tag }: Ask,
): Promise<Tried> {
  try {
    const response = await fetch(`${server}/api${path}`, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answersWithin)]),
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
    // Read to its end before anything is believed: a connection may break in the middle.
    const text = await response.text();
    if (response.ok)
      return {
        kind: 'reply',
        reply: { json: JSON.parse(text), tag: response.headers.get('etag') },
      };
    return refusalOf(response, text);
  } catch (error) {
    if (error instanceof RepositoryRefusal || signal.aborted) throw error;
    return {
      kind: 'failed',
      why: `${server} does not respond correctly:  ${reasonOf(error)}.`,
      cause: error,
    };
  }
}

function refusalOf(response: Response, text: string): Tried {
  const { status } = response;
  const problem = problemIn(text);
  const words = problem?.userMessage ?? `The repository answered ${status}.`;
  if (status < 500 && status !== 429 && status !== 408)
    throw new RepositoryRefusal(status, problem?.code ?? '', words);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    kind: 'failed',
    why: words,
    ...(Number.isFinite(seconds) && { waitMs: seconds * 1000 }),
  };
}

function problemIn(text: string): Problem | null {
  try {
    return Problem.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** fetch says why only in what caused its failure. */
function reasonOf(error: unknown): string {
  const causes: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) causes.push(one.message || one.name);
  return causes.at(-1) ?? String(error);
}
