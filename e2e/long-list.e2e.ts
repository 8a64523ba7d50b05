/** A list of 1,000 loaded rows: few of them are in the document, and all can be reached and gone back to. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';

const screen = '/patch-repository/debian-patch';
const loaded = 1000;
const maxRows = 150;

test.beforeEach(async ({ page, service }) => {
  await service.ask('POST', '/preference', {
    moduleName: 'debian_patch',
    preference: { loadMode: 'loadmore' },
  });
  await service.enter(page);
});
test.afterEach(({ service }) => service.ask('DELETE', '/preference/debian_patch'));

const rowAt = (page: Page, index: number) => page.locator(`[aria-rowindex="${index}"]`);

/** Scrolls the table from its top to its end; the most rows that were in the document on the way. */
const mostWhileScrolling = (page: Page) =>
  page.evaluate<number>(`(async () => {
  const scroller = document.querySelector('[data-scroll-restoration-id]');
  let most = 0;
  for (let step = 0; step <= 40; step += 1) {
    scroller.scrollTop = (step / 40) * scroller.scrollHeight;
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise(requestAnimationFrame);
      most = Math.max(most, document.querySelectorAll('[data-row]').length);
    }
  }
  return most;
})()`);

test('shows 1,000 rows with few of them in the document', async ({ page, service }) => {
  await page.goto(`${screen}?size=50&page=20`);
  await page.getByText('1–1,000 of').waitFor();
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
    await expect(rowAt(page, 3)).toBeFocused();
    await mostWhileScrolling(page);
    await expect(rowAt(page, 3)).toBeFocused();
    await expect(rowAt(page, 3)).not.toBeInViewport();
    await page.keyboard.press('ArrowUp');
    await expect(rowAt(page, 2)).toBeInViewport();
  });

  await test.step('back from a record the list is where it was', async () => {
    await page
      .locator('[data-scroll-restoration-id]')
      .evaluate((scroller) => scroller.scrollTo({ top: 20_000 }));
    const row = rowAt(page, 460);
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
