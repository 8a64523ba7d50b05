/** Requests to a bucket with the API of Amazon S3, signed and repeated. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { errorCode } from '@patch/contract/base/error-code.ts';
import { AwsV4Signer } from 'aws4fetch';
import type { BucketPlace } from '../../platform/config/publish-to.ts';
import { createAgents, sendRequest } from '../../platform/network/http-client.ts';
import { adviceFor, BucketFailure, errorName } from './bucket-failure.ts';
import { type ListedObject, readListing } from './bucket-listing.ts';

export interface BucketAccess {
  readonly place: BucketPlace;
  readonly keyId: string;
  readonly secretKey: string;
}

export interface ObjectToPut {
  readonly bytes: number;
  /** In hexadecimal digits; the bucket checks it. */
  readonly sha256: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Opens the content anew for each attempt. */
  open(): Promise<Readable>;
}

export interface BucketTimes {
  /** Limits a request whose body has no length. */
  readonly requestMs: number;
  /** Pause before the second attempt; each later one is twice as long. */
  readonly pauseMs: number;
}

const defaultTimes: BucketTimes = { requestMs: 30_000, pauseMs: 500 };
const attempts = 3;
/** A slower upload is given up: a snapshot of 300 MB has 40 minutes. */
const leastBytesPerMs = 128;
/** A page of a listing has at most 1,000 keys. */
const largestReply = 8 * 1024 * 1024;
const mostPages = 1_000;
const noContent = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface BucketRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly content?: ObjectToPut;
}

interface BucketReply {
  readonly status: number;
  readonly body: Buffer;
}

export class BucketClient {
  readonly #access: BucketAccess;
  readonly #times: BucketTimes;
  readonly #agents = createAgents(2);
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(access: BucketAccess, times = defaultTimes) {
    this.#access = access;
    this.#times = times;
  }

  /** Identifies the place; has no secret. */
  get address(): string {
    const { bucket, endpoint, region, prefix } = this.#access.place;
    return `${rootOf({ bucket, endpoint, region })}${prefix}`;
  }

  close(): void {
    this.#agents.close();
  }

  /** Returns null when there is no such object. @throws BucketFailure */
  async get(path: string): Promise<Buffer | null> {
    const reply = await this.#send({ method: 'GET', path });
    if (reply.status === 404 && errorName(reply.body) === 'NoSuchKey') return null;
    return this.#accept('GET', reply).body;
  }

  /** @throws BucketFailure */
  async put(path: string, content: ObjectToPut): Promise<void> {
    this.#accept('PUT', await this.#send({ method: 'PUT', path, content }));
  }

  /** Does nothing when there is no such object. @throws BucketFailure */
  async remove(path: string): Promise<void> {
    const reply = await this.#send({ method: 'DELETE', path });
    if (reply.status !== 404 || errorName(reply.body) !== 'NoSuchKey')
      this.#accept('DELETE', reply);
  }

  /** Yields the objects below the prefix, in pages. @throws BucketFailure */
  async *list(): AsyncGenerator<readonly ListedObject[]> {
    const base = this.#base;
    let token: string | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const query = {
        'list-type': '2',
        prefix: base,
        ...(token === null ? {} : { 'continuation-token': token }),
      };
      const reply = await this.#send({ method: 'GET', path: '', query });
      const listing = readListing(this.#accept('GET', reply).body.toString());
      if (listing === null)
        throw this.#failure('returned no list of its objects', 'Check endpoint in PUBLISH_TO.');
      yield listing.objects
        .filter(({ key }) => key.startsWith(base))
        .map(({ key, bytes }) => ({ key: key.slice(base.length), bytes }));
      token = listing.next;
      if (token === null) return;
    }
    throw this.#failure(
      `has more than ${mostPages * 1_000} objects there`,
      'Give PUBLISH_TO a prefix of its own.',
    );
  }

  get #base(): string {
    const { prefix } = this.#access.place;
    return prefix === '' ? '' : `${prefix}/`;
  }

  #failure(happened: string, advice: string): BucketFailure {
    return new BucketFailure(`The bucket at ${this.address} ${happened}. ${advice}`);
  }

  #accept(method: string, reply: BucketReply): BucketReply {
    if (reply.status >= 200 && reply.status < 300) return reply;
    const name = errorName(reply.body);
    const answer = name === null ? String(reply.status) : `${reply.status} ${name}`;
    throw this.#failure(`refused a ${method} with ${answer}`, adviceFor(reply.status, name));
  }

  /** Repeats what may have failed by chance, but no timeout: the next look does it, and others wait until then. */
  async #send(request: BucketRequest): Promise<BucketReply> {
    const { method, content } = request;
    const limitMs = this.#times.requestMs + (content?.bytes ?? 0) / leastBytesPerMs;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === attempts;
      const signal = AbortSignal.timeout(Math.ceil(limitMs));
      // Errors of the file are no errors of the bucket.
      const body = await content?.open();
      try {
        const reply = await this.#attempt(request, body, signal);
        if (isLast || !isTransient(reply)) return reply;
      } catch (error) {
        const advice = 'Check endpoint in PUBLISH_TO, and the network.';
        if (signal.aborted) throw this.#failure(`did not answer a ${method} in time`, advice);
        if (isLast)
          throw this.#failure(`cannot be reached (${errorCode(error) ?? 'no answer'})`, advice);
      } finally {
        body?.destroy();
      }
      await after(this.#times.pauseMs * 2 ** (attempt - 1));
    }
  }

  async #attempt(
    request: BucketRequest,
    body: Readable | undefined,
    signal: AbortSignal,
  ): Promise<BucketReply> {
    const { method, content } = request;
    const { url, headers } = await this.#sign(request);
    const length = content === undefined ? {} : { 'content-length': content.bytes };
    const response = await sendRequest(url, {
      method,
      headers: { ...Object.fromEntries(headers), ...length },
      body,
      agents: this.#agents,
      signal,
    });
    return { status: response.statusCode ?? 0, body: await readReply(response) };
  }

  #urlOf({ path, query = {} }: BucketRequest): URL {
    const url = new URL(`${rootOf(this.#access.place)}${path === '' ? '' : this.#base + path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  #sign(request: BucketRequest) {
    const { place, keyId, secretKey } = this.#access;
    const { method, content } = request;
    return new AwsV4Signer({
      method,
      url: this.#urlOf(request).href,
      headers: {
        'x-amz-content-sha256': content?.sha256 ?? noContent,
        ...(content === undefined
          ? {}
          : { 'content-type': content.contentType, 'cache-control': content.cacheControl }),
      },
      service: 's3',
      region: place.region,
      accessKeyId: keyId,
      secretAccessKey: secretKey,
      cache: this.#signingKeys,
    }).sign();
  }
}

/** Names with dots are no names of certificates: AWS has them in the path, as other services have all. */
function rootOf({
  bucket,
  endpoint,
  region,
}: Pick<BucketPlace, 'bucket' | 'endpoint' | 'region'>): string {
  if (endpoint !== null) return `${endpoint}/${bucket}/`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`;
}

const isTransient = ({ status, body }: BucketReply): boolean =>
  status >= 500 || status === 429 || status === 408 || errorName(body) === 'RequestTimeout';

async function readReply(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > largestReply) throw new Error('The reply is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
