/** The setting PUBLISH_TO: where the catalogue is published as a tree of files. */
import { resolve } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';

/** A bucket of a service with the API of Amazon S3. */
export interface BucketPlace {
  readonly kind: 'bucket';
  readonly bucket: string;
  /** Without slashes at its ends; empty: the whole bucket. */
  readonly prefix: string;
  /** Null: AWS in the region. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** `service`: only the service itself serves the tree. */
export type PublishTo =
  | { readonly kind: 'service' }
  | { readonly kind: 'folder'; readonly path: string }
  | BucketPlace;

export interface PublishKey {
  readonly keyId: string | undefined;
  readonly secretKey: string | undefined;
}

/** @throws StartupError says what is allowed, and does not repeat the text, which may have a password. */
export function readPublishTo(text: string, key: PublishKey, workingFolder: string): PublishTo {
  if (text === 'service') return { kind: 'service' };
  if (!/^[a-z][\w+.-]*:\/\//i.test(text))
    return { kind: 'folder', path: resolve(workingFolder, text) };
  const place = readBucket(text);
  if (key.keyId === undefined || key.secretKey === undefined)
    throw new StartupError(
      'PUBLISH_TO names a bucket, which needs PUBLISH_KEY_ID and PUBLISH_SECRET_KEY: an access key that may write it.',
    );
  return place;
}

const refuse = (reason: string) =>
  new StartupError(
    `PUBLISH_TO must be service, a folder, or a bucket: s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1. ${reason}`,
  );

function readBucket(text: string): BucketPlace {
  if (!text.startsWith('s3://') || !URL.canParse(text))
    throw refuse('Addresses of buckets begin with s3://.');
  const url = new URL(text);
  const { username, password, port, hostname, pathname, searchParams, hash } = url;
  if (username !== '' || password !== '')
    throw refuse('The access key belongs into PUBLISH_KEY_ID and PUBLISH_SECRET_KEY.');
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(hostname) || port !== '')
    throw refuse(
      'The name of a bucket has 3 to 63 lower-case letters, digits, dots and hyphens; another server is given as endpoint.',
    );
  const prefix = pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !/^[\w.-]+(?:\/[\w.-]+)*$/.test(prefix))
    throw refuse('The prefix has letters, digits, dots, hyphens and underscores between slashes.');
  const isKnown = (name: string) => name === 'endpoint' || name === 'region';
  const names = [...searchParams.keys()];
  if (!names.every(isKnown) || new Set(names).size < names.length || hash !== '')
    throw refuse('After the question mark it has endpoint and region, each at most once.');
  const region = searchParams.get('region') ?? '';
  if (!/^[a-z\d-]{1,64}$/.test(region))
    throw refuse('It needs the region: region=eu-central-1, or as the endpoint says.');
  return {
    kind: 'bucket',
    bucket: hostname,
    prefix,
    endpoint: readEndpoint(searchParams.get('endpoint')),
    region,
  };
}

function readEndpoint(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  // An address with a path, a query or a password is more than its origin.
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw refuse('The endpoint is an http(s) address without a path.');
  return url.origin;
}
