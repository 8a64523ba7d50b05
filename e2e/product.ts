/** The real product for a walk: real server, embedded database in a folder of its own, vendors answered by the feed mirror. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { startProduct } from './running-product.ts';
import { Service } from './service.ts';

interface WorkerFixtures {
  /** Files that need an empty catalogue get a product of their own, because a changed worker option starts a new worker. */
  readonly catalogue: 'furnished' | 'empty';
  readonly productUrl: string;
  /** The administrator's own calls. */
  readonly service: Service;
}

export const test = base.extend<object, WorkerFixtures>({
  catalogue: ['furnished', { option: true, scope: 'worker' }],
  productUrl: [
    async ({ catalogue }, use) => {
      const { WALKS_FOLDER: folder, WALKS_MIRROR: feedMirror } = process.env;
      if (folder === undefined || feedMirror === undefined) {
        base.skip(true, 'needs ../shared/feed-mirror beside the project');
        return;
      }
      const dataDir = await mkdtemp(join(folder, 'worker-'));
      if (catalogue === 'furnished')
        await cp(join(folder, 'furnished'), dataDir, { recursive: true });
      const product = await startProduct({ DATA_DIR: dataDir, FEED_MIRROR: feedMirror });
      await use(product.url);
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  service: [
    async ({ playwright, productUrl }, use) => {
      const caller = await playwright.request.newContext({ baseURL: productUrl });
      await use(await Service.signedIn(caller));
      await caller.dispose();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ productUrl }, use) => {
    await use(productUrl);
  },
});

export { expect } from '@playwright/test';
