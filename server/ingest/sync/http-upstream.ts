/** Documents over HTTP: from the vendors, or from a mirror that has them below its own address. */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { addressInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import {
  FailedAttempt,
  networkAttempt,
  silentAttempt,
  slowAttempt,
  statusAttempt,
  truncatedAttempt,
} from './fetch-failed.ts';
import { waitAskedBy } from './retry-delay.ts';
import type { AskOptions, Served, Upstream, Validators } from './upstream.ts';

export interface HttpLimits {
  /** Milliseconds from having a connection to the first line of the answer. */
  readonly answer: number;
  /** Milliseconds without a byte. */
  readonly silence: number;
  /** Milliseconds for one attempt in all. */
  readonly total: number;
}

export const defaultHttpLimits: HttpLimits = { answer: 30_000, silence: 30_000, total: 3_600_000 };

const maxRedirects = 5;
const connectionsPerHost = 4;
const userAgent = 'PatchRepository/1 (patch catalogue sync; Node.js)';

/** `mirror` is an address without a slash at its end, or null. A proxy is taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
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

  async ask(
    url: string,
    have: Validators | null,
    signal: AbortSignal,
    options: AskOptions = {},
  ): Promise<Served> {
    const { total, silence } = this.#limits;
    const ended = new AbortController();
    const end = setTimeout(() => ended.abort(slowAttempt(total)), total);
    const stop = AbortSignal.any([signal, ended.signal]);
    try {
      const answer = await this.#followed(url, have, stop, options);
      const served = servedBy(answer);
      if (served.kind !== 'body') {
        clearTimeout(end);
        release(answer);
        return served;
      }
      const body = bodyOf(answer, served.length, silence, stop, () => clearTimeout(end));
      return { ...served, body };
    } catch (error) {
      clearTimeout(end);
      throw reasonOf(error, stop);
    }
  }

  close(): void {
    this.#agents['http:'].destroy();
    this.#agents['https:'].destroy();
  }

  async #followed(
    asked: string,
    have: Validators | null,
    signal: AbortSignal,
    { redirectHosts }: AskOptions,
  ): Promise<IncomingMessage> {
    let url = this.#placeOf(asked);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#get(url, have, signal);
      const target = answer.headers.location;
      if (!isRedirect(answer.statusCode) || target === undefined) return answer;
      release(answer);
      if (redirects === maxRedirects)
        throw redirectAttempt({ code: 'too_many_redirects', params: { redirects } });
      url = this.#redirected(url, target, redirectHosts);
    }
  }

  #placeOf(url: string): URL {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw redirectAttempt({ code: 'not_http', params: {} });
    return new URL(this.#mirror === null ? url : addressInMirror(this.#mirror, url));
  }

  /** A mirror that passes on the vendor's own redirects is asked for their targets too; a vendor may not lead out of encryption. */
  #redirected(from: URL, target: string, hosts: readonly string[] | undefined): URL {
    if (!URL.canParse(target, from.href))
      throw redirectAttempt({ code: 'redirect_without_address', params: { target } });
    const to = new URL(target, from);
    if (this.#mirror !== null)
      return to.href.startsWith(`${this.#mirror}/`) ? to : this.#placeOf(to.href);
    if (to.protocol !== 'https:' && (from.protocol === 'https:' || to.protocol !== 'http:'))
      throw redirectAttempt({ code: 'redirect_not_encrypted', params: { target: to.href } });
    if (hosts !== undefined && !hosts.includes(to.hostname))
      throw redirectAttempt({
        code: 'redirect_to_other_host',
        params: { target: to.href, hosts: hosts.join(', ') },
      });
    return to;
  }

  #get(url: URL, have: Validators | null, signal: AbortSignal): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
    const { answer } = this.#limits;
    const headers: Record<string, string> = {
      'User-Agent': userAgent,
      Accept: '*/*',
      'Accept-Encoding': 'identity',
    };
    if (have?.etag) headers['If-None-Match'] = have.etag;
    else if (have?.lastModified) headers['If-Modified-Since'] = have.lastModified;
    return new Promise((resolve, reject) => {
      const request = (secure ? requestHttps : requestHttp)(url, {
        headers,
        signal,
        agent: secure ? this.#agents['https:'] : this.#agents['http:'],
      });
      let patience: NodeJS.Timeout;
      // Not before there is a connection: a request may wait for its turn at this host.
      request.once('socket', () => {
        patience = setTimeout(() => request.destroy(silentAttempt(answer)), answer);
      });
      request.once('response', resolve);
      request.once('error', reject);
      request.once('response', () => clearTimeout(patience));
      request.once('close', () => clearTimeout(patience));
      request.end();
    });
  }
}

function servedBy(
  answer: IncomingMessage,
): Exclude<Served, { kind: 'body' }> | Omit<Served & { kind: 'body' }, 'body'> {
  const status = answer.statusCode ?? 0;
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'absent' };
  if (status !== 200) {
    release(answer);
    throw statusAttempt(status, waitAskedBy(answer.headers['retry-after'], Date.now()));
  }
  const {
    etag = null,
    'last-modified': lastModified = null,
    'content-length': length,
  } = answer.headers;
  return { kind: 'body', length: length === undefined ? null : Number(length), etag, lastModified };
}

/** A short body is read to its end, so that the connection can be used again; a long one is not waited for. */
function release(answer: IncomingMessage): void {
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  if (answer.statusCode === 304 || length < 65_536) answer.resume();
  else answer.destroy();
}

async function* bodyOf(
  answer: IncomingMessage,
  length: number | null,
  silence: number,
  signal: AbortSignal,
  onEnd: () => void,
) {
  let received = 0;
  const watch = setTimeout(() => answer.destroy(silentAttempt(silence)), silence);
  try {
    for await (const piece of answer as AsyncIterable<Uint8Array>) {
      received += piece.length;
      watch.refresh();
      yield piece;
      watch.refresh();
    }
  } catch (error) {
    const reason = reasonOf(error, signal);
    throw reason instanceof FailedAttempt && reason.cause === error
      ? truncatedAttempt(received, length, error)
      : reason;
  } finally {
    clearTimeout(watch);
    onEnd();
    answer.destroy();
  }
  if (length !== null && received !== length) throw truncatedAttempt(received, length);
}

/** Node reports an abort and a broken connection in several shapes; the signal's own reason is the true one. */
function reasonOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof FailedAttempt ? error : networkAttempt(error);
}

const isRedirect = (status: number | undefined) =>
  status !== undefined && [301, 302, 303, 307, 308].includes(status);

function redirectAttempt(problem: FetchProblem): FailedAttempt {
  return new FailedAttempt(problem, { passing: false });
}
