/** Ctrl-K with a fast typist: the box has to take what is typed before its parts have been fetched. */
import { expect, test } from './product.ts';

const boxName = 'Identifier, screen or command';

test.beforeEach(({ page, service }) => service.enter(page));

test('takes the first key and a queued Enter while its options are still being fetched', async ({
  page,
}) => {
  // Options of the box arrive late; nothing of the box itself may wait for them.
  const { promise: typed, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/jump-options-[^/]*\.js$/, async (route) => {
    await typed;
    await route.continue();
  });
  await page.goto('/patch-repository/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('debian');
  await expect(page.getByRole('combobox', { name: boxName })).toHaveValue('debian');
  await page.keyboard.press('Enter');
  release();
  await page.waitForURL('**/patch-repository/debian-patch');
  await expect(page.getByRole('combobox', { name: boxName })).toHaveCount(0);
});

test('opens over a record’s drawer and keeps what is typed', async ({ page }) => {
  await page.goto('/patch-repository/almalinux-patch');
  await page.locator('[data-row]').first().click();
  await page.getByRole('dialog').getByText('Packages').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('audit');
  await expect(page.getByRole('combobox', { name: boxName })).toHaveValue('audit');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/patch-repository/audit');
});
