/** A list whose service does not answer for a while: the rows stay, list and header say so, and both end by themselves. */
import { expect, test } from './product.ts';

test('a lost connection keeps the rows and ends by itself', async ({ page, context, service }) => {
  await service.enter(page);
  await page.goto('/patch-repository/almalinux-patch');
  const rows = page.locator('[data-row]');
  await rows.first().waitFor();
  const before = await rows.allTextContents();

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(/^Connection lost\. These rows were loaded/)).toBeVisible();
  await expect(
    page.getByRole('banner').getByText('Connection lost', { exact: true }),
  ).toBeVisible();
  expect(await rows.allTextContents()).toEqual(before);

  await context.setOffline(false);
  await expect(page.getByText(/Connection lost/)).toHaveCount(0);
  expect(await rows.allTextContents()).toEqual(before);
});
