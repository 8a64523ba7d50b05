/** The publishing thread's work: publishes what changed, when it is called. */

import type { Config } from '../../platform/config/config.ts';
import { type CallThreadStart, serveCalls } from '../../platform/threads/serve-calls.ts';
import type { ThreadOwner } from '../../platform/threads/serve-thread.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { BucketClient } from './bucket-client.ts';
import { BucketFailure } from './bucket-failure.ts';
import { type BucketCopy, type CopyContext, copyToBucket } from './copy-to-bucket.ts';
import { type Published, publishTree, TreeBlocked } from './publish-tree.ts';
import { FamilyKeys } from './tree-keys.ts';
import { publishedLists, withListSource } from './tree-lines-store.ts';
import { treeFolder } from './tree-place.ts';

/** The settings of publishing. */
export type PublishingConfig = Pick<
  Config,
  'dataDir' | 'publishTo' | 'publishKeyId' | 'publishSecretKey'
>;

export interface PublishingStart extends CallThreadStart {
  readonly secret: Uint8Array;
  readonly config: PublishingConfig;
}

export interface PublishingReply extends Published {
  /** Null: there is no bucket, or it was not reached. */
  readonly copy: BucketCopy | null;
  /** The reason for which nothing can be published, or copied to the bucket, and what to do; null: all was done. */
  readonly blocked: string | null;
}

export function servePublishing(owner: ThreadOwner, start: PublishingStart): void {
  const { secret, config } = start;
  const folder = treeFolder(config);
  if (folder === null) throw new Error('Nothing is to be published');
  const bucket = openBucket(config);
  serveCalls(owner, start, (database) => async (): Promise<PublishingReply> => {
    const { epoch } = await readChangeStates(database);
    const keys = new FamilyKeys(secret);
    const lists = new Map(
      publishedLists().map((list) => [
        list.key,
        <Result>(work: Parameters<typeof withListSource<Result>>[2]) =>
          withListSource(database, list, work),
      ]),
    );
    try {
      const published = await publishTree({ folder, epoch, keys, secret, clock: Date.now }, lists);
      const copied =
        bucket === null ? notCopied : await copyOf({ folder, bucket, clock: Date.now });
      return { ...published, ...copied };
    } catch (error) {
      if (error instanceof TreeBlocked)
        return { lists: [], isHeadNew: false, copy: null, blocked: error.message };
      throw error;
    }
  });
}

function openBucket({
  publishTo,
  publishKeyId: keyId,
  publishSecretKey: secretKey,
}: PublishingConfig): BucketClient | null {
  if (publishTo?.kind !== 'bucket' || keyId === null || secretKey === null) return null;
  return new BucketClient({ place: publishTo, keyId, secretKey });
}

type Copied = Pick<PublishingReply, 'copy' | 'blocked'>;

const notCopied: Copied = { copy: null, blocked: null };

async function copyOf(context: CopyContext): Promise<Copied> {
  try {
    return { copy: await copyToBucket(context), blocked: null };
  } catch (error) {
    if (error instanceof BucketFailure) return { copy: null, blocked: error.message };
    throw error;
  }
}
