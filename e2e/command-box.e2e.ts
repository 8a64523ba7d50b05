/** Ctrl-K with a fast typist: the box has to take what is typed before its parts have been fetched. */
import { expect, test } from './product.ts';

test('takes the first key and a queued Enter while its options are still being fetched', async ({
  page,
  service,
}) => {
  await service.enter(page);
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
  await expect(page.getByRole('combobox', { name: 'Identifier, screen or command' })).toHaveValue(
    'debian',
  );
  await page.keyboard.press('Enter');
  release();
  await page.waitForURL('**/patch-repository/debian-patch');
  await expect(page.getByRole('combobox', { name: 'Identifier, screen or command' })).toHaveCount(
    0,
  );
});
