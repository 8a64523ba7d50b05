/** The publishing thread's work: publishes what changed, when it is called. */

import type { Config } from '../../platform/config/config.ts';
import { type CallThreadStart, serveCalls } from '../../platform/threads/serve-calls.ts';
import type { ThreadOwner } from '../../platform/threads/serve-thread.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { type Published, publishTree, TreeBlocked } from './publish-tree.ts';
import { FamilyKeys } from './tree-keys.ts';
import { publishedLists, withListSource } from './tree-lines-store.ts';
import { treeFolder } from './tree-place.ts';

export interface PublishingStart extends CallThreadStart {
  readonly secret: Uint8Array;
  readonly config: Pick<Config, 'dataDir' | 'publishTo'>;
}

/** `blocked` says why nothing can be published. */
export type PublishingReply = Published | { readonly blocked: string };

export function servePublishing(owner: ThreadOwner, start: PublishingStart): void {
  const { secret, config } = start;
  const folder = treeFolder(config);
  if (folder === null) throw new Error('Nothing is to be published');
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
      return await publishTree({ folder, epoch, keys, secret, clock: Date.now }, lists);
    } catch (error) {
      if (error instanceof TreeBlocked) return { blocked: error.message };
      throw error;
    }
  });
}
