/** An administrator signs in and syncs AlmaLinux into an empty catalogue. The other walks begin with what is stored here. */
import { expect, test } from './product.ts';
import { administrator } from './running-product.ts';
import { exampleClient, otherSources } from './service.ts';
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
