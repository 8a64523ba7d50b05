/** Requests documents over HTTP from the vendors, or from a mirror that has them below its address. */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { addressInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import { parseRetryAfter } from '../../platform/network/retry-after.ts';
import {
  createNetworkError,
  createSilentError,
  createSlowError,
  createStatusError,
  createTruncatedError,
  FailedAttempt,
} from './fetch-failed.ts';
import type { RequestOptions, Upstream, UpstreamReply, Validators } from './upstream.ts';

export interface HttpLimits {
  /** Milliseconds from the connection to the status line of the response. */
  readonly answer: number;
  /** Maximum of milliseconds without a byte. */
  readonly silence: number;
  /** Milliseconds for the complete attempt. */
  readonly total: number;
}

export const defaultHttpLimits: HttpLimits = { answer: 30_000, silence: 30_000, total: 3_600_000 };

const maxRedirects = 5;
const connectionsPerHost = 4;
const userAgent = 'PatchRepository/1 (patch catalogue sync; Node.js)';

/** Uses the proxies in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. @param mirror an address without a slash at its end, or null */
export function httpUpstream(
  mirror: string | null,
  limits: HttpLimits = defaultHttpLimits,
): Upstream {
  return new HttpUpstream(mirror, limits);
}

class HttpUpstream implements Upstream {
  readonly origin: string;
  readonly #mirror: string | null;
  readonly #limits: HttpLimits;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(mirror: string | null, limits: HttpLimits) {
    const options = { keepAlive: true, maxSockets: connectionsPerHost, proxyEnv: process.env };
    this.origin = mirror ?? 'the vendor';
    this.#mirror = mirror;
    this.#limits = limits;
    this.#agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  }

  async request(
    url: string,
    cached: Validators | null,
    signal: AbortSignal,
    options: RequestOptions = {},
  ): Promise<UpstreamReply> {
    const { total, silence } = this.#limits;
    const ended = new AbortController();
    const end = setTimeout(() => ended.abort(createSlowError(total)), total);
    const stop = AbortSignal.any([signal, ended.signal]);
    try {
      const answer = await this.#followRedirects(url, cached, stop, options);
      const served = toReply(answer);
      if (served.kind !== 'body') {
        clearTimeout(end);
        release(answer);
        return served;
      }
      const body = readBody(answer, served.length, silence, stop, () => clearTimeout(end));
      return { ...served, body };
    } catch (error) {
      clearTimeout(end);
      throw toReason(error, stop);
    }
  }

  close(): void {
    this.#agents['http:'].destroy();
    this.#agents['https:'].destroy();
  }

  async #followRedirects(
    requested: string,
    cached: Validators | null,
    signal: AbortSignal,
    { redirectHosts }: RequestOptions,
  ): Promise<IncomingMessage> {
    let url = this.#resolve(requested);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#get(url, cached, signal);
      const target = answer.headers.location;
      if (!isRedirect(answer.statusCode) || target === undefined) return answer;
      release(answer);
      if (redirects === maxRedirects)
        throw createRedirectError({ code: 'too_many_redirects', params: { redirects } });
      url = this.#resolveRedirect(url, target, redirectHosts);
    }
  }

  #resolve(url: string): URL {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw createRedirectError({ code: 'not_http', params: {} });
    return new URL(this.#mirror === null ? url : addressInMirror(this.#mirror, url));
  }

  /** Resolves a redirect. Requests targets at vendors from the mirror as well. Refuses redirects from HTTPS to HTTP. */
  #resolveRedirect(from: URL, target: string, hosts: readonly string[] | undefined): URL {
    if (!URL.canParse(target, from.href))
      throw createRedirectError({ code: 'redirect_without_address', params: { target } });
    const to = new URL(target, from);
    if (this.#mirror !== null)
      return to.href.startsWith(`${this.#mirror}/`) ? to : this.#resolve(to.href);
    if (to.protocol !== 'https:' && (from.protocol === 'https:' || to.protocol !== 'http:'))
      throw createRedirectError({ code: 'redirect_not_encrypted', params: { target: to.href } });
    if (hosts !== undefined && !hosts.includes(to.hostname))
      throw createRedirectError({
        code: 'redirect_to_other_host',
        params: { target: to.href, hosts: hosts.join(', ') },
      });
    return to;
  }

  #get(url: URL, cached: Validators | null, signal: AbortSignal): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
    const { answer } = this.#limits;
    const headers: Record<string, string> = {
      'User-Agent': userAgent,
      Accept: '*/*',
      'Accept-Encoding': 'identity',
    };
    if (cached?.etag) headers['If-None-Match'] = cached.etag;
    else if (cached?.lastModified) headers['If-Modified-Since'] = cached.lastModified;
    return new Promise((resolve, reject) => {
      const request = (secure ? requestHttps : requestHttp)(url, {
        headers,
        signal,
        agent: secure ? this.#agents['https:'] : this.#agents['http:'],
      });
      let timer: NodeJS.Timeout;
      // Starts with the connection, because a request may wait for a free connection to the host.
      request.once('socket', () => {
        timer = setTimeout(() => request.destroy(createSilentError(answer)), answer);
      });
      request.once('response', resolve);
      request.once('error', reject);
      request.once('response', () => clearTimeout(timer));
      request.once('close', () => clearTimeout(timer));
      request.end();
    });
  }
}

function toReply(
  answer: IncomingMessage,
): Exclude<UpstreamReply, { kind: 'body' }> | Omit<UpstreamReply & { kind: 'body' }, 'body'> {
  const status = answer.statusCode ?? 0;
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'absent' };
  if (status !== 200) {
    release(answer);
    throw createStatusError(status, parseRetryAfter(answer.headers['retry-after'], Date.now()));
  }
  const {
    etag = null,
    'last-modified': lastModified = null,
    'content-length': length,
  } = answer.headers;
  return { kind: 'body', length: length === undefined ? null : Number(length), etag, lastModified };
}

/** Reads a short body, so that the connection can be reused, and aborts a long one. */
function release(answer: IncomingMessage): void {
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  if (answer.statusCode === 304 || length < 65_536) answer.resume();
  else answer.destroy();
}

async function* readBody(
  answer: IncomingMessage,
  length: number | null,
  silence: number,
  signal: AbortSignal,
  onEnd: () => void,
) {
  let received = 0;
  const watch = setTimeout(() => answer.destroy(createSilentError(silence)), silence);
  try {
    for await (const piece of answer as AsyncIterable<Uint8Array>) {
      received += piece.length;
      watch.refresh();
      yield piece;
      watch.refresh();
    }
  } catch (error) {
    const reason = toReason(error, signal);
    throw reason instanceof FailedAttempt && reason.cause === error
      ? createTruncatedError(received, length, error)
      : reason;
  } finally {
    clearTimeout(watch);
    onEnd();
    answer.destroy();
  }
  if (length !== null && received !== length) throw createTruncatedError(received, length);
}

/** Returns the reason of the signal when it is aborted, because Node reports aborts and broken connections in several forms. */
function toReason(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof FailedAttempt ? error : createNetworkError(error);
}

const isRedirect = (status: number | undefined) =>
  status !== undefined && [301, 302, 303, 307, 308].includes(status);

function createRedirectError(problem: FetchProblem): FailedAttempt {
  return new FailedAttempt(problem, { isTransient: false });
}
