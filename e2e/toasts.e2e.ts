/** Messages over the page, beside the actions of a list, in a wide and in a narrow window. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { narrow, wide } from './screens.ts';

/** Names of the actions outside of rows whose middle is under a message. Text, because it runs in the page. */
const namesOfCovered = `
  Array.from(document.querySelectorAll('button, a[href], input, select'))
    .filter((action) => action.closest('[data-kind], [data-row], tbody') === null)
    .filter((action) => {
      const { left, right, top, bottom, width } = action.getBoundingClientRect();
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return width > 0 && over !== null && over.closest('[data-kind]') !== null;
    })
    .map((action) => action.getAttribute('aria-label') ?? action.textContent)`;
/** A message slides to its place for a moment, and stays there for three seconds at least. */
const expectNoneCovered = (page: Page) =>
  expect
    .poll(() => page.evaluate<string[]>(namesOfCovered), { timeout: 1_000, intervals: [50] })
    .toEqual([]);

test('messages cover no action of a list, wide and narrow', async ({ page, service }) => {
  await service.enter(page);
  await page.goto('/patch-repository/almalinux-patch');
  await page.locator('[data-row]').first().waitFor();
  for (const [turn, size] of [wide, narrow].entries()) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: /^CSV/ }).click();
    await expect(page.getByText(/^Exporting .* records\.$/).last()).toBeVisible();
    await expectNoneCovered(page);

    // A failure stays for ten seconds, at the right.
    await page.route('**/api/export**', (route) => route.abort());
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: /^JSON/ }).click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expectNoneCovered(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page).toHaveURL(new RegExp(`page=${turn + 2}`));
    await page.unroute('**/api/export**');
  }
});
