/** Failures of a bucket, with a sentence that says what to do. */

/** The bucket cannot be reached, or refuses; the message has no secret. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure';
}

/** Returns the name of an S3 error, or null. */
export const errorName = (body: Buffer): string | null =>
  /<Code>(\w{1,64})<\/Code>/.exec(body.subarray(0, 4096).toString())?.[1] ?? null;

const wrongKey = 'Check PUBLISH_KEY_ID and PUBLISH_SECRET_KEY.';
const wrongPlace = 'Correct region and endpoint in PUBLISH_TO.';
const advices: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: wrongKey,
  InvalidAccessKeyId: wrongKey,
  NoSuchBucket: 'Create the bucket, or correct its name in PUBLISH_TO.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  AuthorizationHeaderMalformed: wrongPlace,
  PermanentRedirect: wrongPlace,
  TemporaryRedirect: wrongPlace,
  XAmzContentSHA256Mismatch:
    'Check the disk: a file of DATA_DIR/catalogue-tree/published is not what its name says.',
};

export function adviceFor(status: number, name: string | null): string {
  const advice = advices[name ?? ''];
  if (advice !== undefined) return advice;
  if (status === 401 || status === 403)
    return 'Give the key of PUBLISH_KEY_ID the rights to list the bucket, and to read, write and delete its objects.';
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return wrongPlace;
  if (status >= 500 || status === 429)
    return 'It is tried again every half minute: look at the state of the storage service if this lasts.';
  return 'Look for this answer in the manual of the storage service.';
}
