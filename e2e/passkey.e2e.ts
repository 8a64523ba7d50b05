/** A passkey in a real browser, with an authenticator of Chromium's own: added, used at sign-in and before an API key is created, removed. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { signIn } from './sign-in.ts';

async function withAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Browsers bind passkeys to a host name, never to an address. */
const byName = (address: string, path: string) =>
  new URL(path, address.replace('127.0.0.1', 'localhost')).href;

test('a passkey is the second factor from when it is added until it is removed', async ({
  page,
  service,
  productUrl,
}) => {
  const user = await service.addUser('pat');
  const beginAgain = async () => {
    await page.evaluate(() => localStorage.clear());
    await page.goto(byName(productUrl, '/login'));
    await signIn(page, user);
  };
  await withAuthenticator(page);
  await page.goto(byName(productUrl, '/login'));
  await signIn(page, user);
  await expect(page.getByRole('navigation').first()).toBeVisible();

  await page.goto(byName(productUrl, '/patch-repository/account'));
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const codes = page.getByRole('list', { name: 'Backup codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Laptop');

  await page.getByRole('button', { name: 'New backup codes' }).click();
  await expect(page.getByText('Your browser asks for your passkey next.')).toBeVisible();
  await page.getByLabel('Current password').last().fill(user.password);
  await page.getByRole('button', { name: 'Create new codes' }).click();
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const code = await codes.getByRole('listitem').first().textContent();
  await page.getByRole('button', { name: 'I have saved them' }).click();

  await beginAgain();
  await expect(page.getByRole('heading', { name: 'Use your passkey' })).toBeVisible();
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();

  await beginAgain();
  await page.getByRole('button', { name: 'Use a code instead' }).click();
  await page.getByLabel('Backup code').fill(code ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();

  await page.goto(byName(productUrl, '/patch-repository/account'));
  await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect(page.getByText('Off: you sign in with your password only.')).toBeVisible();
  await beginAgain();
  await expect(page.getByRole('navigation').first()).toBeVisible();
});
