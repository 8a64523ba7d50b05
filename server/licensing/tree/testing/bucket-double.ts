/** A bucket of an S3 service in memory: it checks signatures and content, and fails on demand. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { xmlElement, xmlTextElement } from '@patch/catalogue/formats/xml-text.ts';
import type { BucketAccess } from '../bucket-client.ts';
import { type SigningKey, signatureError } from './signature-check.ts';

export type BucketFault =
  /** The connection ends in the middle of the content. */
  | 'cut'
  /** The request is done, and the connection ends before the reply. */
  | 'lost reply'
  | 'internal error'
  | 'refused'
  /** Before the content has arrived. */
  | 'refused early'
  /** Neither reply nor end. */
  | 'silent';

export interface StoredObject {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
}

export interface BucketRequestSeen {
  readonly method: string;
  readonly key: string;
  readonly isList: boolean;
}

const bucketName = 'patches';
const pageSize = 11;

export class BucketDouble {
  readonly objects = new Map<string, StoredObject>();
  readonly requests: BucketRequestSeen[] = [];
  readonly key: SigningKey = { keyId: 'AKIDOUBLE', secretKey: 'secret-of-double', region: 'eu-1' };
  /** Chooses what happens to a request. */
  faultOf: (request: BucketRequestSeen) => BucketFault | null = () => null;
  /** Called after each change of an object. */
  onChange: () => void = () => undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((settle) => this.#server.listen(0, '127.0.0.1', settle));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  access(prefix: string): BucketAccess {
    const { endpoint } = this;
    const { keyId, secretKey, region } = this.key;
    const place = { kind: 'bucket', bucket: bucketName, prefix, endpoint, region } as const;
    return { place, keyId, secretKey };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((settle) => this.#server.close(settle));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'http://bucket');
    const key = decodeURIComponent(pathname).slice(bucketName.length + 2);
    const seen = { method, key, isList: searchParams.has('list-type') };
    this.requests.push(seen);
    const fault = this.faultOf(seen);
    if (fault === 'silent') return;
    if (fault === 'cut') {
      // The first bytes arrive.
      if (method === 'PUT') await new Promise((settle) => request.once('readable', settle));
      request.socket.destroy();
      return;
    }
    if (fault === 'refused early') {
      refuse(response.setHeader('connection', 'close'), 403, 'AccessDenied');
      return;
    }
    const body = await readAll(request);
    if (body === null) return;
    if (fault === 'internal error') return refuse(response, 500, 'InternalError');
    if (fault === 'refused') return refuse(response, 403, 'AccessDenied');
    const error = this.#errorOf(request, body);
    if (error !== null) return refuse(response, error.endsWith('Mismatch') ? 400 : 403, error);
    if (!pathname.startsWith(`/${bucketName}/`)) return refuse(response, 404, 'NoSuchBucket');
    const reply = this.#answer(request, seen, body, searchParams);
    if (fault === 'lost reply') request.socket.destroy();
    else reply(response);
  }

  #errorOf(request: IncomingMessage, body: Buffer): string | null {
    const { method = '', url: target = '', headers } = request;
    const error = signatureError({ method, target, headers }, this.key, Date.now());
    if (error !== null) return error;
    const stated = headers['x-amz-content-sha256'];
    const actual = createHash('sha256').update(body).digest('hex');
    return stated === actual || stated === 'UNSIGNED-PAYLOAD' ? null : 'XAmzContentSHA256Mismatch';
  }

  #answer(
    { headers }: IncomingMessage,
    { method, key, isList }: BucketRequestSeen,
    bytes: Buffer,
    query: URLSearchParams,
  ): (response: ServerResponse) => void {
    if (isList) return (response) => response.end(this.#list(query));
    if (method === 'PUT') {
      // S3 asks for the length of the content.
      if (headers['content-length'] === undefined)
        return (response) => refuse(response, 411, 'MissingContentLength');
      const { 'content-type': contentType, 'cache-control': cacheControl } = headers;
      this.objects.set(key, { bytes, contentType, cacheControl });
      this.onChange();
      return (response) => response.writeHead(200).end();
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      this.onChange();
      return (response) => response.writeHead(204).end();
    }
    const object = this.objects.get(key);
    if (object === undefined) return (response) => refuse(response, 404, 'NoSuchKey');
    return (response) => response.end(object.bytes);
  }

  #list(query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? '';
    const prefix = query.get('prefix') ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .toSorted();
    const page = keys.slice(0, pageSize);
    const isTruncated = keys.length > page.length;
    const contents = page.map((key) =>
      xmlElement(
        'Contents',
        {},
        xmlTextElement('Key', key) +
          xmlTextElement('Size', String(this.objects.get(key)?.bytes.length)),
      ),
    );
    return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement(
      'ListBucketResult',
      { xmlns: 'http://s3.amazonaws.com/doc/2006-03-01/' },
      [
        xmlTextElement('IsTruncated', String(isTruncated)),
        ...contents,
        xmlTextElement('NextContinuationToken', isTruncated ? (page.at(-1) ?? null) : null),
      ].join(''),
    )}`;
  }
}

/** Returns null when the connection ended early. */
async function readAll(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    return Buffer.concat(pieces);
  } catch {
    return null;
  }
}

function refuse(response: ServerResponse, status: number, name: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(xmlElement('Error', {}, xmlTextElement('Code', name)));
}
