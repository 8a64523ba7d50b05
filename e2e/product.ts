/** The real product for a walk: real server, embedded database, vendors answered by the feed mirror. All walks share one. */
import { test as base } from '@playwright/test';
import { Service } from './service.ts';

interface WorkerFixtures {
  readonly productUrl: string;
  /** The administrator's own calls. */
  readonly service: Service;
}

export const test = base.extend<object, WorkerFixtures>({
  productUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern.
    async ({}, use) => {
      const { WALKS_URL: url } = process.env;
      if (url === undefined) {
        base.skip(true, 'needs ../shared/feed-mirror beside the project');
        return;
      }
      await use(url);
    },
    { scope: 'worker' },
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
