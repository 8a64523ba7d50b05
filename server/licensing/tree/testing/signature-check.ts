/**
 * Checks the signature of a request to S3, version 4 in the Authorization header, as AWS documents it:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SigningKey {
  readonly keyId: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface SignedRequest {
  readonly method: string;
  /** As it was sent, with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** The clock of the caller may be so wrong. */
const skewMs = 15 * 60_000;

const hmac = (key: Buffer | string, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** Returns the name of the S3 error, or null for a correct signature. */
export function signatureError(
  request: SignedRequest,
  key: SigningKey,
  now: number,
): string | null {
  const { authorization = '', 'x-amz-date': time } = request.headers;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      authorization,
    );
  if (parts === null || typeof time !== 'string') return 'AccessDenied';
  const [, keyId, date = '', region, names = '', signature] = parts;
  if (keyId !== key.keyId) return 'InvalidAccessKeyId';
  if (region !== key.region || !time.startsWith(date)) return 'AuthorizationHeaderMalformed';
  if (Math.abs(timeOf(time) - now) > skewMs) return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  const required = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (!['host', ...required].every((name) => signed.includes(name))) return 'AccessDenied';
  const scope = `${date}/${key.region}/s3/aws4_request`;
  const canonical = createHash('sha256').update(canonicalRequest(request, signed)).digest('hex');
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${canonical}`;
  const ofDate = hmac(`AWS4${key.secretKey}`, date);
  const ofService = hmac(hmac(hmac(ofDate, key.region), 's3'), 'aws4_request');
  return hmac(ofService, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}

function canonicalRequest(
  { method, target, headers }: SignedRequest,
  signed: readonly string[],
): string {
  const [path = '', query = ''] = target.split('?');
  const headerLines = signed.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  const canonicalPath = path
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/');
  return [
    method,
    canonicalPath,
    canonicalQuery(query),
    headerLines.join(''),
    signed.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
}

function canonicalQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Reads the form 20130524T000000Z. */
const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
