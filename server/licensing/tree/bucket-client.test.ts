import { hash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BucketAccess, BucketClient } from './bucket-client.ts';
import { BucketFailure } from './bucket-failure.ts';
import { readListing } from './bucket-listing.ts';
import { BucketDouble, type BucketFault } from './testing/bucket-double.ts';
import { signatureError } from './testing/signature-check.ts';

let double: BucketDouble;
let clients: BucketClient[];

beforeEach(async () => {
  double = new BucketDouble();
  await double.start();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await double.stop();
});

function clientOf(more: Partial<BucketAccess> = {}, requestMs = 5_000): BucketClient {
  const client = new BucketClient({ ...double.access('tree'), ...more }, { requestMs, pauseMs: 1 });
  clients.push(client);
  return client;
}

const contentOf = (bytes: Buffer, open = () => Promise.resolve(Readable.from([bytes]))) => ({
  bytes: bytes.length,
  sha256: hash('sha256', bytes),
  contentType: 'application/octet-stream',
  cacheControl: 'no-store',
  open,
});

/** Fails so many requests. */
function failFirst(count: number, fault: BucketFault): void {
  let left = count;
  double.faultOf = () => {
    left -= 1;
    return left < 0 ? null : fault;
  };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof BucketFailure ? error.message : String(error)),
  );

test('the double accepts the signature of the example that AWS documents, and refuses others', () => {
  const key = {
    keyId: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  };
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': hash('sha256', ''),
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  };
  const now = Date.UTC(2013, 4, 24, 0, 5);
  const request = { method: 'GET', target: '/test.txt', headers };
  expect(signatureError(request, key, now)).toBeNull();
  expect(signatureError({ ...request, target: '/test2.txt' }, key, now)).toBe(
    'SignatureDoesNotMatch',
  );
  expect(signatureError(request, { ...key, secretKey: 'x' }, now)).toBe('SignatureDoesNotMatch');
  expect(signatureError(request, key, now + 3_600_000)).toBe('RequestTimeTooSkewed');
});

test.each(['cut', 'internal error', 'lost reply'] as const)(
  'sends a large file again from its beginning after two times: %s',
  async (fault) => {
    const base = mkdtempSync(join(tmpdir(), 'put-'));
    try {
      const bytes = randomBytes(20_000_000);
      const path = join(base, 'file');
      writeFileSync(path, bytes);
      failFirst(2, fault);
      let opened = 0;
      const open = () => {
        opened += 1;
        return Promise.resolve(createReadStream(path));
      };
      await clientOf().put('file', contentOf(bytes, open));
      expect(opened).toBe(3);
      expect(double.objects.get('tree/file')?.bytes.equals(bytes)).toBe(true);
    } finally {
      rmSync(base, { recursive: true });
    }
  },
);

test('gives up after three attempts, and repeats no refusal', async () => {
  failFirst(9, 'internal error');
  expect(await failureOf(clientOf().get('x'))).toMatch(
    /refused a GET with 500 InternalError\. It is tried again every half minute/,
  );
  expect(double.requests).toHaveLength(3);
  failFirst(9, 'cut');
  expect(await failureOf(clientOf().get('x'))).toMatch(/cannot be reached \(ECONNRESET\)\. Check/);
  expect(double.requests).toHaveLength(6);
  failFirst(9, 'refused');
  expect(await failureOf(clientOf().get('x'))).toMatch(/with 403 AccessDenied\. Give the key/);
  expect(double.requests).toHaveLength(7);
});

test('goes on after a bucket that refuses a large file before it has arrived', async () => {
  const client = clientOf();
  const content = contentOf(randomBytes(20_000_000));
  failFirst(3, 'refused early');
  // The reply can be lost when the connection ends while the file is sent.
  expect(await failureOf(client.put('x', content))).toMatch(
    /403 AccessDenied|cannot be reached \((?:EPIPE|ECONNRESET)\)/,
  );
  expect(double.objects.size).toBe(0);
  double.faultOf = () => null;
  await client.put('x', content);
  expect(double.objects.size).toBe(1);
});

test('waits for a silent bucket only for the time limit', async () => {
  failFirst(9, 'silent');
  const begin = performance.now();
  expect(await failureOf(clientOf({}, 300).get('x'))).toMatch(/did not answer a GET in time/);
  expect(performance.now() - begin).toBeLessThan(4_000);
  expect(double.requests).toHaveLength(1);
});

test('says what to do for wrong settings, and keeps the secret to itself', async () => {
  const { place } = double.access('tree');
  const failure = (more: Partial<BucketAccess>) => failureOf(clientOf(more).get('x'));
  const messages = [
    await failure({ secretKey: 'hidden-secret' }),
    await failure({ keyId: 'another' }),
    await failure({ place: { ...place, bucket: 'absent' } }),
    await failure({ place: { ...place, region: 'us-1' } }),
    await failure({ place: { ...place, endpoint: 'http://127.0.0.1:9' } }),
  ];
  const root = double.endpoint;
  const key = 'Check PUBLISH_KEY_ID and PUBLISH_SECRET_KEY.';
  expect(messages).toEqual([
    `The bucket at ${root}/patches/tree refused a GET with 403 SignatureDoesNotMatch. ${key}`,
    `The bucket at ${root}/patches/tree refused a GET with 403 InvalidAccessKeyId. ${key}`,
    `The bucket at ${root}/absent/tree refused a GET with 404 NoSuchBucket. Create the bucket, or correct its name in PUBLISH_TO.`,
    `The bucket at ${root}/patches/tree refused a GET with 403 AuthorizationHeaderMalformed. Correct region and endpoint in PUBLISH_TO.`,
    'The bucket at http://127.0.0.1:9/patches/tree cannot be reached (ECONNREFUSED). Check endpoint in PUBLISH_TO, and the network.',
  ]);
});

test('refuses content that is not what its hash says', async () => {
  const content = contentOf(Buffer.from('right'));
  const open = () => Promise.resolve(Readable.from([Buffer.from('wrong')]));
  expect(await failureOf(clientOf().put('x', { ...content, open }))).toMatch(
    /400 XAmzContentSHA256Mismatch\. Check the disk/,
  );
  expect(double.objects.size).toBe(0);
});

test('lists all pages below the prefix', async () => {
  const client = clientOf();
  const names = Array.from({ length: 40 }, (_, n) => `file-${n}`).toSorted();
  for (const name of names) await client.put(name, contentOf(Buffer.from(name)));
  await client.remove('file-7');
  await client.remove('absent');
  expect(await client.get('file-7')).toBeNull();
  expect((await client.get('file-8'))?.toString()).toBe('file-8');
  const found = [];
  for await (const page of client.list()) found.push(...page);
  const expected = names
    .filter((name) => name !== 'file-7')
    .map((name) => ({ key: name, bytes: name.length }));
  expect(found).toEqual(expected);
});

test('reads a listing with escaped characters, and nothing else', () => {
  const listing = (more: string) =>
    `<?xml version="1.0"?><ListBucketResult xmlns="x"><Name>b</Name>${more}</ListBucketResult>`;
  const contents = '<Contents><Key>a&amp;b&#x26;&#39;</Key><Size>5</Size></Contents>';
  expect(readListing(listing(contents))).toEqual({
    objects: [{ key: "a&b&'", bytes: 5 }],
    next: null,
  });
  const truncated = '<IsTruncated>true</IsTruncated>';
  const token = '<NextContinuationToken>a/&#43;=</NextContinuationToken>';
  expect(readListing(listing(truncated + token))).toEqual({ objects: [], next: 'a/+=' });
  for (const text of ['', '<html></html>', listing(truncated), listing('').slice(0, -5)])
    expect(readListing(text), text).toBeNull();
});

test('asks AWS of the region without an endpoint, by the name of the bucket unless it has dots', () => {
  const { place } = double.access('tree');
  const address = (bucket: string) =>
    clientOf({ place: { ...place, bucket, endpoint: null, region: 'eu-central-1' } }).address;
  expect(address('patches')).toBe('https://patches.s3.eu-central-1.amazonaws.com/tree');
  expect(address('patches.example')).toBe(
    'https://s3.eu-central-1.amazonaws.com/patches.example/tree',
  );
});
