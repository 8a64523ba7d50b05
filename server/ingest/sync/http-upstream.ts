/** Documents over HTTP: from the vendors, or from a mirror that has them below its own address. */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
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
import type { Served, Upstream, Validators } from './upstream.ts';

export interface HttpLimits {
  /** Milliseconds from having a connection to the first line of the answer. */
  readonly answer: number;
  /** Milliseconds without a byte. */
  readonly silence: number;
  /** Milliseconds for one attempt in all. */
  readonly total: number;
}

export const usualHttpLimits: HttpLimits = { answer: 30_000, silence: 30_000, total: 3_600_000 };

const maxRedirects = 5;
const connectionsPerHost = 4;
const userAgent = 'PatchRepository/1 (patch catalogue sync; Node.js)';

/** `mirror` is an address without a slash at its end, or null. A proxy is taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export function httpUpstream(
  mirror: string | null,
  limits: HttpLimits = usualHttpLimits,
): Upstream {
  const options = { keepAlive: true, maxSockets: connectionsPerHost, proxyEnv: process.env };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };

  async function ask(url: string, have: Validators | null, signal: AbortSignal): Promise<Served> {
    const ended = new AbortController();
    const end = setTimeout(() => ended.abort(slowAttempt(limits.total)), limits.total);
    const stop = AbortSignal.any([signal, ended.signal]);
    try {
      const answer = await followed(url, have, stop);
      const served = servedBy(answer);
      if (served.kind !== 'body') {
        clearTimeout(end);
        release(answer);
        return served;
      }
      return {
        ...served,
        body: bodyOf(answer, served.length, limits.silence, stop, () => clearTimeout(end)),
      };
    } catch (error) {
      clearTimeout(end);
      throw reasonOf(error, stop);
    }
  }

  async function followed(
    asked: string,
    have: Validators | null,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    let url = placeOf(asked);
    for (let redirects = 0; ; redirects++) {
      const answer = await get(url, have, signal);
      const target = answer.headers.location;
      if (!isRedirect(answer.statusCode) || target === undefined) return answer;
      release(answer);
      if (redirects === maxRedirects)
        throw redirectAttempt(`redirects more than ${maxRedirects} times`);
      url = redirected(url, target);
    }
  }

  function placeOf(url: string): URL {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw redirectAttempt('is no http(s) address');
    return new URL(mirror === null ? url : addressInMirror(mirror, url));
  }

  /** A mirror that passes on the vendor's own redirects is asked for their targets too; a vendor may not lead out of encryption. */
  function redirected(from: URL, target: string): URL {
    if (!URL.canParse(target, from.href))
      throw redirectAttempt(`redirects to '${target}', which is not an address`);
    const to = new URL(target, from);
    if (mirror !== null) return to.href.startsWith(`${mirror}/`) ? to : placeOf(to.href);
    if (to.protocol !== 'https:' && (from.protocol === 'https:' || to.protocol !== 'http:')) {
      throw redirectAttempt(`redirects to ${to.href}, which is not encrypted`);
    }
    return to;
  }

  function get(url: URL, have: Validators | null, signal: AbortSignal): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
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
        agent: secure ? agents['https:'] : agents['http:'],
      });
      let patience: NodeJS.Timeout;
      // Not before there is a connection: a request may wait for its turn at this host.
      request.once('socket', () => {
        patience = setTimeout(() => request.destroy(silentAttempt(limits.answer)), limits.answer);
      });
      request.once('response', resolve);
      request.once('error', reject);
      request.once('response', () => clearTimeout(patience));
      request.once('close', () => clearTimeout(patience));
      request.end();
    });
  }

  return {
    origin: mirror ?? 'the vendor',
    ask,
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
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

function redirectAttempt(happened: string): FailedAttempt {
  return new FailedAttempt(
    happened,
    'The redirect is not followed; check whether a proxy responds instead of the vendor.',
    {
      passing: false,
    },
  );
}
