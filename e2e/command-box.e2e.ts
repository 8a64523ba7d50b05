/** Ctrl-K with a fast typist: the box has to take what is typed before its parts have been fetched. */
import { expect, test } from './product.ts';
import { Service } from './service.ts';

test.use({ productOf: 'command box' });

const boxName = 'Identifier, screen or command';

test.beforeEach(async ({ page, request }) => {
  const service = await Service.signedIn(request);
  await service.enter(page);
});

test('takes the first key and a queued Enter while its options are still being fetched', async ({
  page,
}) => {
  // What the box offers arrives late; nothing of the box itself may wait for it.
  await page.route(/\/assets\/jump-options-[^/]*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto('/patch-repository/dashboard');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('debian');
  await expect(page.getByRole('combobox', { name: boxName })).toHaveValue('debian');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/patch-repository/debian-patch');
  await expect(page.getByRole('combobox', { name: boxName })).toHaveCount(0);
});

test('runs commands and actions of the page, and gives the focus back', async ({ page }) => {
  await page.goto('/patch-repository/almalinux-patch');
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  await refresh.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(refresh).toBeFocused();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('dense rows');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Dense rows' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await page.keyboard.press('Control+k');
  await page.keyboard.type('new user');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Create user' })).toBeVisible();
});

test('opens over a record’s drawer and keeps what is typed', async ({ page, request }) => {
  const service = await Service.signedIn(request);
  await service.synced('almaLinux');
  await page.goto('/patch-repository/almalinux-patch');
  await page.locator('[data-row]').first().click();
  await page.getByRole('dialog').getByText('Packages').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('audit');
  await expect(page.getByRole('combobox', { name: boxName })).toHaveValue('audit');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/patch-repository/audit');
});
