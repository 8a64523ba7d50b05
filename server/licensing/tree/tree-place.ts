/** Where an installation publishes its catalogue: the setting PUBLISH_TO. */
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import type { PublishTo } from '../../platform/config/publish-to.ts';
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

/** What requests need of the tree. */
export interface TreeParts {
  readonly folder: TreeFolder;
  readonly place: PublishTo['kind'];
  /** Where clients find it; null: the service serves it. */
  readonly address: string | null;
}

/** Returns null when nothing is published. */
export function treeParts({
  publishedAt: address,
  ...config
}: Pick<Config, 'dataDir' | 'publishTo' | 'publishedAt'>): TreeParts | null {
  const folder = treeFolder(config);
  if (folder === null || config.publishTo === null) return null;
  return { folder, place: config.publishTo.kind, address };
}
