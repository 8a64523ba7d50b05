/** Where an installation publishes its catalogue: the setting PUBLISH_TO. */
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import { TreeFolder } from './tree-folder.ts';

/** Below the address of the service. */
export const servedAddress = '/api/tree';

/** Returns null when nothing is published. */
export function treeFolder({
  dataDir,
  publishTo,
}: Pick<Config, 'dataDir' | 'publishTo'>): TreeFolder | null {
  if (publishTo === null) return null;
  const own = join(dataDir, 'catalogue-tree');
  const isPrivate = publishTo.kind !== 'folder';
  const published = publishTo.kind === 'folder' ? publishTo.path : join(own, 'published');
  return new TreeFolder(published, join(own, 'lists'), isPrivate);
}

/** Returns what requests need of the tree; null when nothing is published. */
export function treeParts(config: Pick<Config, 'dataDir' | 'publishTo' | 'publishedAt'>) {
  const folder = treeFolder(config);
  return folder === null ? null : { folder, address: config.publishedAt };
}
