/** Posts to the address of a channel: to a checked address only, without redirects, within limits of time and size. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { callbackify } from 'node:util';
import { errorCode } from '@patch/contract/base/error-code.ts';
import { parseRetryAfter, sendRequest } from '../network/http-client.ts';
import { type ChannelTargets, toHost } from './channel-targets.ts';

export interface PostParts {
  readonly targets: ChannelTargets;
  /** Certificate authorities that tests trust besides the system's. */
  readonly tls?: ConnectionOptions | undefined;
  /** Resolves names; the system's resolver when absent. */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined;
  /** Milliseconds until the status must have arrived. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
}

export interface PostedMessage {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Words of refusals that the receiver's documentation lists. */
  readonly knownErrors?: readonly string[];
}

interface RefusalFacts {
  /** The receiver said that the address has ended. */
  readonly isGone?: boolean;
  /** Milliseconds for which the receiver asks to send nothing. */
  readonly pauseMs?: number;
}

/**
 * Why a delivery failed, for people. The message is stored and logged, so that it has only words of this service: a receiver may
 * repeat the address, the headers or the body of the request anywhere in its reply, in any encoding.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly isGone: boolean;
  readonly pauseMs: number;
  constructor(message: string, { isGone = false, pauseMs = 0 }: RefusalFacts = {}) {
    super(message);
    this.isGone = isGone;
    this.pauseMs = pauseMs;
  }
}

/** Not imported, as in http-client.ts. */
const { STATUS_CODES: statusWords } = process.getBuiltinModule('node:http');

const defaultTimeoutMs = 15_000;
/** The beginning of a refusal in which known errors are sought. */
const maxReplyBytes = 1000;

/** @throws DeliveryError unless the receiver replied with a status of 200 to 299. The body of such a reply is not read. */
export async function postGuarded(message: PostedMessage, parts: PostParts): Promise<void> {
  const { targets, timeoutMs = defaultTimeoutMs, signal } = parts;
  const problem = targets.checkUrl(message.url);
  if (problem !== null) throw new DeliveryError(problem);
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  try {
    await send(message, parts, ended);
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    if (timeout.aborted)
      throw new DeliveryError(`The receiver did not answer within ${timeoutMs / 1000} seconds.`);
    throw new DeliveryError(toWords(error, toHost(message.url)));
  }
}

async function send(
  { url, headers, body, knownErrors = [] }: PostedMessage,
  parts: PostParts,
  signal: AbortSignal,
): Promise<void> {
  const response = await sendRequest(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Patch-Repository',
    },
    body,
    agents: null,
    lookup: checkedLookup(url, parts),
    tls: { minVersion: 'TLSv1.2', ...parts.tls },
    signal,
  });
  // An error of the connection after the status changes nothing.
  response.on('error', () => undefined);
  try {
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return;
    if (status >= 300 && status < 400)
      throw new DeliveryError(
        `The receiver redirects to another address (${status}). Redirects are not followed: enter the address itself.`,
      );
    const text = knownErrors.length === 0 ? '' : await readBeginning(response, signal);
    throw describeRefusal(response, findKnownError(text, knownErrors), parts.clock ?? Date.now);
  } finally {
    response.destroy();
  }
}

const findKnownError = (text: string, knownErrors: readonly string[]): string | undefined =>
  (text.match(/\w+/g) ?? []).flatMap((word) => knownErrors.filter((known) => known === word))[0];

function describeRefusal(
  { statusCode: status = 0, headers }: IncomingMessage,
  knownError: string | undefined,
  clock: () => number,
): DeliveryError {
  const words = [`The receiver replied ${status}`, statusWords[status]].filter(Boolean).join(' ');
  const said = knownError === undefined ? words : `${words}: ${knownError}`;
  const isPausing = status === 429 || status === 503;
  const pauseMs = isPausing ? (parseRetryAfter(headers['retry-after'], clock()) ?? 0) : 0;
  return new DeliveryError(said, { isGone: status === 410, pauseMs });
}

/** Returns what has arrived when the connection breaks. */
async function readBeginning(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response) {
      signal.throwIfAborted();
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes >= maxReplyBytes) break;
    }
  } catch {
    // The status is the reason; its known error is only more of it.
  }
  return Buffer.concat(pieces).subarray(0, maxReplyBytes).toString();
}

/** Returns a resolver for the socket, so that the checked address is the one it connects to. */
function checkedLookup(url: URL, { targets, resolve = resolveAll }: PostParts): LookupFunction {
  const find = async (host: string): Promise<[LookupAddress, ...LookupAddress[]]> => {
    const found = await resolve(host);
    const problems = found.map(({ address }) => targets.checkAddress(url, address));
    const [first, ...others] = found.filter((_, index) => problems[index] === null);
    if (first === undefined) throw new DeliveryError(problems[0] ?? `${host} has no address.`);
    return [first, ...others];
  };
  const answer = callbackify(find);
  return (host, options, callback) =>
    answer(host, (error, found) => {
      if (error !== null) callback(error, '', 4);
      else if (options.all === true) callback(null, found);
      else callback(null, found[0].address, found[0].family);
    });
}

const resolveAll = (host: string): Promise<readonly LookupAddress[]> =>
  lookup(host, { all: true, verbatim: true });

const tlsProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is of another name',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that this machine does not trust',
};

function toWords(error: unknown, host: string): string {
  const code = errorCode(error) ?? '';
  const tls = tlsProblems[code];
  if (tls !== undefined)
    return `The certificate of ${host} ${tls}. NODE_EXTRA_CA_CERTS adds an authority.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return `No encrypted connection to ${host}: it does not speak TLS there, or only old versions.`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} has no address. Check the name, and the name server of this machine.`;
    case 'ECONNREFUSED':
      return `${host} refuses the connection: nothing listens on the port.`;
    case 'ECONNRESET':
      return `${host} closed the connection before it answered.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${host} cannot be reached from this machine.`;
    default:
      return `The delivery to ${host} failed: ${describeError(error)}.`;
  }
}

/** Returns the code or the class of an error: its message may have the address. */
export function describeError(error: unknown): string {
  const code = errorCode(error) ?? '';
  if (/^[A-Z][A-Z\d_]{2,60}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : 'unknown error';
}
