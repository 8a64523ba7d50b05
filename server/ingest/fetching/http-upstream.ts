/** Requests documents over HTTP from the vendors, or from a mirror that has them below its address. */
import type { IncomingMessage } from 'node:http';
import { addressInMirror } from '@patch/catalogue/parsers/mirror-layout.ts';
import {
  createAgents,
  type HttpAgents,
  parseRetryAfter,
  SilentError,
  sendRequest,
} from '../../platform/network/http-client.ts';
import {
  createNetworkError,
  FailedAttempt,
  type RequestOptions,
  type Upstream,
  type UpstreamReply,
  type Validators,
} from './upstream.ts';

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
const maxUnreadBytes = 65_536;

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
  readonly #agents: HttpAgents = createAgents(connectionsPerHost);

  constructor(mirror: string | null, limits: HttpLimits) {
    this.origin = mirror ?? 'the vendor';
    this.#mirror = mirror;
    this.#limits = limits;
  }

  async request(
    url: string,
    cached: Validators | null,
    signal: AbortSignal,
    options: RequestOptions = {},
  ): Promise<UpstreamReply> {
    const { total: milliseconds, silence } = this.#limits;
    const late = AbortSignal.timeout(milliseconds);
    const stop = AbortSignal.any([signal, late]);
    // Aborts and broken connections are reported in several forms.
    const toReason = (error: unknown): unknown => {
      if (signal.aborted) return signal.reason;
      if (late.aborted) return new FailedAttempt({ code: 'slow', params: { milliseconds } });
      return toAttempt(error);
    };
    try {
      const answer = await this.#followRedirects(url, cached, stop, options);
      const served = toReply(answer);
      if (served.kind === 'body')
        return { ...served, body: readBody(answer, served.length, silence, toReason) };
      release(answer);
      return served;
    } catch (error) {
      throw toReason(error);
    }
  }

  close(): void {
    this.#agents.close();
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
        throw new FailedAttempt({ code: 'too_many_redirects', params: { redirects } });
      url = this.#resolveRedirect(url, target, redirectHosts);
    }
  }

  #resolve(url: string): URL {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw new FailedAttempt({ code: 'not_http', params: {} });
    return new URL(this.#mirror === null ? url : addressInMirror(this.#mirror, url));
  }

  /** Resolves a redirect. Requests targets at vendors from the mirror as well. Refuses redirects from HTTPS to HTTP. */
  #resolveRedirect(from: URL, target: string, hosts: readonly string[] | undefined): URL {
    if (!URL.canParse(target, from.href))
      throw new FailedAttempt({ code: 'redirect_without_address', params: { target } });
    const to = new URL(target, from);
    if (this.#mirror !== null)
      return to.href.startsWith(`${this.#mirror}/`) ? to : this.#resolve(to.href);
    if (to.protocol !== 'https:' && (from.protocol === 'https:' || to.protocol !== 'http:'))
      throw new FailedAttempt({ code: 'redirect_not_encrypted', params: { target: to.href } });
    if (hosts !== undefined && !hosts.includes(to.hostname))
      throw new FailedAttempt({
        code: 'redirect_to_other_host',
        params: { target: to.href, hosts: hosts.join(', ') },
      });
    return to;
  }

  #get(url: URL, cached: Validators | null, signal: AbortSignal): Promise<IncomingMessage> {
    const headers: Record<string, string> = {
      'User-Agent': userAgent,
      Accept: '*/*',
      'Accept-Encoding': 'identity',
    };
    if (cached?.etag) headers['If-None-Match'] = cached.etag;
    else if (cached?.lastModified) headers['If-Modified-Since'] = cached.lastModified;
    const { answer: answerMs } = this.#limits;
    return sendRequest(url, { headers, agents: this.#agents, signal, answerMs });
  }
}

async function* readBody(
  answer: IncomingMessage,
  length: number | null,
  silenceMs: number,
  toReason: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  const watch = setTimeout(() => answer.destroy(new SilentError(silenceMs)), silenceMs);
  try {
    for await (const piece of answer as AsyncIterable<Uint8Array>) {
      received += piece.length;
      watch.refresh();
      yield piece;
      watch.refresh();
    }
    if (length !== null && received !== length) throw new Error('The body has another length');
  } catch (error) {
    const reason = toReason(error);
    if (!(reason instanceof FailedAttempt && reason.cause === error)) throw reason;
    const params = { received, announced: length };
    throw new FailedAttempt({ code: 'truncated', params }, { cause: error });
  } finally {
    clearTimeout(watch);
    answer.destroy();
  }
}

function toAttempt(error: unknown): FailedAttempt {
  if (!(error instanceof SilentError))
    return error instanceof FailedAttempt ? error : createNetworkError(error);
  const { milliseconds } = error;
  return new FailedAttempt({ code: 'silent', params: { milliseconds } });
}

function toReply(
  answer: IncomingMessage,
): Exclude<UpstreamReply, { kind: 'body' }> | Omit<UpstreamReply & { kind: 'body' }, 'body'> {
  const { statusCode: status = 0, headers } = answer;
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'absent' };
  if (status !== 200) {
    release(answer);
    const requestedWaitMs = parseRetryAfter(headers['retry-after'], Date.now());
    throw new FailedAttempt({ code: 'status', params: { status } }, { requestedWaitMs });
  }
  const { etag = null, 'last-modified': lastModified = null } = headers;
  const length = headers['content-length'];
  return { kind: 'body', length: length === undefined ? null : Number(length), etag, lastModified };
}

/** Reads a short body, so that the connection can be reused, and aborts a long one. */
function release(answer: IncomingMessage): void {
  const length = Number(answer.headers['content-length'] ?? Number.NaN);
  if (answer.statusCode === 304 || length < maxUnreadBytes) answer.resume();
  else answer.destroy();
}

const isRedirect = (status = 0) => [301, 302, 303, 307, 308].includes(status);
