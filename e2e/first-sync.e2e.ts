/** An administrator signs in and syncs AlmaLinux into an empty catalogue. The other walks begin with what is stored here. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { administrator } from './running-product.ts';
import { exampleClient, otherSources, type Service } from './service.ts';
import { signIn } from './sign-in.ts';

const longName =
  'A client whose name is as long as the names of holding companies are wont to be, International';

test('opens the requested screen after sign-in, and fills an empty list by a sync', async ({
  page,
  service,
}) => {
  test.setTimeout(600_000);
  await service.withoutSchedules();
  await page.goto('/patch-repository/sync');
  await expect(page).toHaveURL(/\/login\?redirectFrom=/);
  await signIn(page, { ...administrator, password: 'not the password' });
  await expect(page.getByRole('alert')).toBeVisible();
  await signIn(page, administrator);
  await expect(page).toHaveURL(/\/patch-repository\/sync$/);
  await page.getByRole('button', { name: /^Sync AlmaLinux/ }).click();
  await expect(page.getByText('+1,616 added').first()).toBeVisible({
    timeout: 300_000,
  });
  await page.getByRole('link', { name: 'AlmaLinux patches' }).first().click();
  await expect(page.getByText('1–25 of 1,616')).toBeVisible();
  await page.close();
  await service.sync(otherSources);
  await service.furnish();
  await service.ask('POST', '/windows/user', { ...exampleClient, clientName: longName });
});

async function openRanking(page: Page, service: Service) {
  await service.enter(page);
  await page.goto('/patch-repository/dashboard');
  return page.getByRole('region', { name: 'Patch these first' });
}

// Here, before another walk reports a machine: what it misses comes first on the dashboard.
test('the dashboard begins with ranked updates, and its link shows the same order', async ({
  page,
  service,
}) => {
  const ranking = await openRanking(page, service);
  const updates = ranking.getByRole('listitem');
  await expect(updates).toHaveCount(10);
  const names = await ranking
    .getByRole('link', { name: /^Open / })
    .evaluateAll((links) =>
      links.map((link) => (link.getAttribute('aria-label') ?? '').replace('Open ', '')),
    );
  await ranking.getByRole('link', { name: /in this order$/ }).click();
  await expect(page).toHaveURL(/all-patches\?.*sort=patchFirst/);
  const rows = page.locator('[data-row]');
  await expect(rows.first()).toContainText(names[0] ?? '');
  await expect(rows.nth(9)).toContainText(names[9] ?? '');
});

test('the dashboard asks once for my products, ranks them, and leads to the others', async ({
  page,
  service,
}) => {
  const ranking = await openRanking(page, service);
  const question = page.getByRole('region', { name: 'Which products are yours?' });
  await question.getByRole('button', { name: 'Choose my products' }).click();
  const products = ranking.getByRole('combobox', { name: 'Products' });
  await products.fill('AlmaLinux 9');
  await products.press('Enter');
  await ranking.getByRole('button', { name: 'Save my products' }).click();
  await expect(ranking.getByText('For your products: AlmaLinux 9.')).toBeVisible();
  await page.reload();
  await expect(ranking.getByText('For your products: AlmaLinux 9.')).toBeVisible();
  const updates = ranking.getByRole('listitem');
  await expect(updates.first()).toContainText('AlmaLinux 9');
  await expect(updates.first()).toContainText(/known exploited since .*released /);
  await ranking.getByRole('link', { name: /^Also for products you have not chosen: / }).click();
  await expect(page).toHaveURL(/all-patches\?.*release\.not_in.*sort=patchFirst/);
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await page.goBack();
  await ranking.getByRole('button', { name: 'Change my products' }).click();
  await ranking.getByRole('button', { name: 'Forget my products' }).click();
  await expect(ranking.getByText('For all products.')).toBeVisible();
  await expect(question).toBeHidden();
});
