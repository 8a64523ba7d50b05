/** The root without which nothing is published, made as `npm run catalogue-root` does. */
import { join } from 'node:path';
import { readChangeStates } from '@patch/server/licensing/clients/change-store.ts';
import { createRoot } from '@patch/server/licensing/tree/make-root.ts';
import { treeSecret } from '@patch/server/licensing/tree/tree-keys.ts';
import { treeFolder } from '@patch/server/licensing/tree/tree-place.ts';
import type { PublishTo } from '@patch/server/platform/config/publish-to.ts';
import { secretBox } from '@patch/server/platform/secrets/secret-box.ts';
import { secretKey } from '@patch/server/platform/secrets/secret-key.ts';
import type { BenchDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';

export const dataDirOf = ({ cache }: BenchOptions) => join(cache, 'measured');

export const benchSecret = (options: BenchOptions): Uint8Array =>
  treeSecret(secretBox(secretKey({ dataDir: dataDirOf(options), secretKey: null })));

export async function readEpoch(database: BenchDatabase): Promise<string> {
  const opened = await database.open();
  try {
    return (await readChangeStates(opened)).epoch;
  } finally {
    await opened.close();
  }
}

/** The service must have made its secret key before. */
export async function makeRoot(
  options: BenchOptions,
  publishTo: PublishTo,
  epoch: string,
): Promise<void> {
  const dataDir = dataDirOf(options);
  const folder = treeFolder({ dataDir, publishTo });
  if (folder === null) throw new Error('Nothing is published');
  const expires = Date.now() + 365 * 24 * 3_600_000;
  const keysFolder = join(dataDir, 'root-keys');
  const root = { folder, keysFolder, secret: benchSecret(options), epoch, expires };
  await createRoot(root, { count: 1, threshold: 1 });
}
