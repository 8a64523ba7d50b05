/** The client of outgoing HTTP: feeds, channels and identity providers call out through it, over Node's own agents (docs/decisions/078). */
import type { Agent as HttpAgent, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';

/** Not imported: an import would read every export, including an unused HTTP client, which takes 70 ms and 9 MB. */
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** Connections that are kept. */
export interface HttpAgents {
  readonly 'http:': HttpAgent;
  readonly 'https:': HttpsAgent;
  close(): void;
}

/** Uses the proxies in HTTPS_PROXY, HTTP_PROXY and NO_PROXY. @param maxSockets most connections to a host */
export function createAgents(maxSockets: number): HttpAgents {
  const options = { keepAlive: true, maxSockets, proxyEnv: process.env };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  return {
    ...agents,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

export interface OutgoingRequest {
  readonly method?: string;
  readonly headers: OutgoingHttpHeaders;
  /** A stream needs the header content-length: otherwise it is sent in chunks. */
  readonly body?: string | Readable | undefined;
  /** Null: a connection of its own. Absent: those of Node. */
  readonly agents?: HttpAgents | null;
  readonly signal: AbortSignal;
  /** Milliseconds from the connection to the status line; absent: until the signal. */
  readonly answerMs?: number;
  /** Resolves the name, so that a checked address is the one that it connects to. */
  readonly lookup?: LookupFunction;
  readonly tls?: ConnectionOptions | undefined;
}

/** Nothing has arrived for so many milliseconds. */
export class SilentError extends Error {
  override readonly name = 'SilentError';
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`Nothing arrived for ${milliseconds} ms`);
    this.milliseconds = milliseconds;
  }
}

/** Returns the head of the reply. Follows no redirect. */
export function sendRequest(
  url: URL,
  { agents, answerMs, body, tls, ...options }: OutgoingRequest,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const agent = agents === null ? false : agents?.[isSecure ? 'https:' : 'http:'];
  return new Promise((resolve, reject) => {
    const request = isSecure
      ? https.request(url, { ...options, agent, ...tls })
      : http.request(url, { ...options, agent });
    let timer: NodeJS.Timeout | undefined;
    // Starts with the connection, because a request may wait for a free connection to the host.
    request.once('socket', () => {
      if (answerMs !== undefined)
        timer = setTimeout(() => request.destroy(new SilentError(answerMs)), answerMs);
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.once('response', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    if (typeof body === 'object')
      // Errors of the stream end the request with them.
      pipeline(body, request, () => undefined);
    else request.end(body);
  });
}

/** The three forms of a date in RFC 9110, 5.6.7. The last one has no zone and is in GMT. */
const httpDate = /^[A-Z][a-z]{2,8},? [\w :-]+$/;

/** Reads the header Retry-After. Returns milliseconds from now, for seconds or a date; null when the header is missing or invalid. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!httpDate.test(text)) return null;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : Math.max(0, time - now);
}
