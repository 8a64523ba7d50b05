/** Starts the product that all walks share, once per run, with an empty catalogue; `first-sync.e2e.ts` fills it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mirror, startProduct } from './running-product.ts';

export default async function startSharedProduct(): Promise<() => Promise<void>> {
  if (!existsSync(mirror)) {
    if (process.env['CI'] === 'true' && process.env['WITHOUT_FEED_MIRROR'] !== 'true')
      throw new Error(
        'The browser tests need ../shared/feed-mirror, and in CI it must be there unless WITHOUT_FEED_MIRROR=true.',
      );
    return async () => undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'patch-repository-walks-'));
  const product = await startProduct({ DATA_DIR: folder, FEED_MIRROR: mirror });
  // Workers inherit the environment.
  process.env['WALKS_URL'] = product.url;
  return async () => {
    await product.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
