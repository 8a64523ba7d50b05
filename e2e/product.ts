/** The real product for a walk: real server, embedded database, vendors answered by the feed mirror. All walks share one. */
import { test as base, expect, type Locator } from '@playwright/test';
import { Service } from './service.ts';

interface WorkerFixtures {
  /** Empty without the feed mirror. */
  readonly productUrl: string;
  /** The administrator's own calls. */
  readonly service: Service;
}

const needsMirror = 'needs ../shared/feed-mirror beside the project';

export const test = base.extend<{ readonly needsProduct: null }, WorkerFixtures>({
  // Skips each test by itself: a fixture of the worker is set up once, and all tests after the first would pass.
  needsProduct: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern.
    async ({}, use, info) => {
      info.skip(process.env['WALKS_URL'] === undefined, needsMirror);
      await use(null);
    },
    { auto: true },
  ],
  productUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: see above.
    ({}, use) => use(process.env['WALKS_URL'] ?? ''),
    { scope: 'worker' },
  ],
  service: [
    async ({ playwright, productUrl }, use) => {
      base.skip(productUrl === '', needsMirror);
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

/** Width, height and colours of the windows in which a walk goes: two of four, so that each width and each look is seen. */
export const bothLooks = [
  [1440, 900, 'light'],
  [390, 844, 'dark'],
] as const;

/** Chooses an option until `chosen` is shown, which nothing but the choice shows. While a dialog still loads, the list of options can move away under the pointer: then the choice is made again. */
export async function choose(select: Locator, option: Locator, chosen: Locator): Promise<void> {
  await expect(async () => {
    if (!(await option.isVisible())) await select.click({ timeout: 5_000 });
    await option.click({ timeout: 5_000 });
    await expect(chosen).toBeVisible({ timeout: 3_000 });
  }).toPass();
}
