import type { Page } from '@playwright/test';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Fills in the sign-in form that the page shows. */
export async function signIn(page: Page, { username, password }: Credentials): Promise<void> {
  await page.getByLabel('User name or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
