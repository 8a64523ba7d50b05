/** Parts of the console that load on first use: over a slow line, when the service lost them, and while the page moves. */
import { expect, test } from './product.ts';

const dialogChunk = /\/assets\/subscribe-dialog-.*\.js/;

test.beforeEach(async ({ page, service }) => {
  await service.enter(page);
});

test('a dialog whose script comes late says that it loads, and opens', async ({ page }) => {
  const script = Promise.withResolvers<void>();
  await page.route(dialogChunk, async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto('/patch-repository/almalinux-patch');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  // Work goes on while it loads.
  await page.getByRole('combobox', { name: 'Search AlmaLinux' }).fill('kernel');
  script.resolve();
  await expect(page.getByRole('dialog', { name: 'Subscribe to AlmaLinux' })).toBeVisible();
});

test('a dialog whose script was lost says so, and opens when it is tried again', async ({
  page,
}) => {
  await page.route(dialogChunk, (route) => route.abort());
  await page.goto('/patch-repository/almalinux-patch');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'ChunkLoadError' });
  await expect(failure).toBeVisible();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toBeVisible();
  await page.unroute(dialogChunk);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'Subscribe to AlmaLinux' })).toBeVisible();
  await expect(failure).toBeHidden();
});
