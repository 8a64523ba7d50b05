/** A list that was loaded to 3,000 rows: few of them are in the document, and all can be reached, marked, gone back to and printed. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';

const screen = '/patch-repository/debian-patch';
const loaded = 3000;
const maxRows = 150;

test.beforeEach(async ({ page, service }) => {
  await service.ask('POST', '/preference', {
    moduleName: 'debian_patch',
    preference: { loadMode: 'loadmore' },
  });
  await service.enter(page);
});
test.afterEach(({ service }) => service.ask('DELETE', '/preference/debian_patch'));

const rows = (page: Page) => page.locator('[data-row]');
const rowAt = (page: Page, index: number) => page.locator(`[aria-rowindex="${index}"]`);

/** All rows up to the thousandth at once, the others fifty at a time. */
async function load(page: Page): Promise<void> {
  await page.goto(`${screen}?size=50&page=20`);
  for (let count = 1000; count < loaded; count += 50) {
    await page.getByText(`1–${count.toLocaleString('en')} of`).waitFor();
    await page.getByRole('button', { name: 'Load More', exact: true }).click();
  }
  await page.getByText('1–3,000 of').waitFor();
}

/** Scrolls the table from its top to its end; the most rows that were in the document on the way. */
async function mostWhileScrolling(page: Page): Promise<number> {
  const scroller = page.locator('[data-scroll-restoration-id]');
  let most = 0;
  for (let step = 0; step <= 40; step += 1) {
    await scroller.evaluate((element, share) => {
      element.scrollTop = share * element.scrollHeight;
    }, step / 40);
    for (let look = 0; look < 3; look += 1) most = Math.max(most, await rows(page).count());
  }
  return most;
}

/** As the browser does before and after it prints. */
const tellWindow = (page: Page, event: 'beforeprint' | 'afterprint') =>
  page.evaluate(`dispatchEvent(new Event('${event}'))`);

test('shows 3,000 rows with few of them in the document', async ({ page, service }) => {
  await load(page);
  const most = await mostWhileScrolling(page);
  expect(most).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(maxRows);
  const { totalCount } = await service.search('/linux/debianpatch/search', 'size=1');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(totalCount + 1));
  // The heading is the first row.
  await expect(rowAt(page, loaded + 1)).toBeInViewport();

  await test.step('by keys, and the row of the cursor keeps the focus when it is scrolled away', async () => {
    await rowAt(page, loaded + 1).focus();
    await page.keyboard.press('Home');
    await expect(rowAt(page, 2)).toBeFocused();
    await expect(rowAt(page, 2)).toBeInViewport();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await mostWhileScrolling(page);
    await expect(rowAt(page, 3)).toBeFocused();
    await expect(rowAt(page, 3)).not.toBeInViewport();
    await page.keyboard.press('ArrowUp');
    await expect(rowAt(page, 2)).toBeInViewport();
  });

  await test.step('marks stay', async () => {
    await expect(page.getByText('1 selected')).toBeVisible();
    await expect(rowAt(page, 3)).toHaveAttribute('aria-selected', 'true');
    await expect(rowAt(page, 4)).toHaveAttribute('aria-selected', 'false');
  });

  await test.step('a print has all of them', async () => {
    await tellWindow(page, 'beforeprint');
    await expect(rows(page)).toHaveCount(loaded);
    await tellWindow(page, 'afterprint');
    expect(await rows(page).count()).toBeLessThanOrEqual(maxRows);
  });

  await test.step('back from a record the list is where it was', async () => {
    await page
      .locator('[data-scroll-restoration-id]')
      .evaluate((scroller) => scroller.scrollTo({ top: 100_000 }));
    const row = rowAt(page, 2280);
    await expect(row).toBeInViewport();
    const before = await row.boundingBox();
    await row.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open as page' }).click();
    await page.waitForURL(/record\/\d+$/);
    await page.goBack();
    await page.keyboard.press('Escape');
    await expect(row).toBeInViewport();
    expect((await row.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  });
});
