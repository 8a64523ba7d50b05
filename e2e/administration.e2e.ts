/**
 * A day of an administrator: mail is set up after a wrong port was read about, a user is made, signs in with two factors and
 * resets the password by the mail that arrived; a client is registered and fetches, and its row shows it.
 */
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { type MailServer, startMailServer } from '../server/platform/mail/testing/mail-server.ts';
import { expect, test } from './product.ts';
import { signIn } from './sign-in.ts';

test.describe.configure({ mode: 'serial' });

const jane = {
  name: 'jane',
  email: 'jane@example.org',
  first: 'First-Horse-11',
  own: 'Own-Horse-22',
  reset: 'Reset-Horse-33',
};
const program = join(import.meta.dirname, '..', 'client', 'patch-client.ts');

let mails: MailServer;
test.beforeAll(async () => {
  mails = await startMailServer();
});
test.afterAll(() => mails.stop());

/** The text of a mail as it is read: folded and encoded lines put together. */
const readable = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );

/** RFC 6238, apart from the product's own. */
function codeAt(secret: string, time: number): string {
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(
    6,
    '0',
  );
}

async function signInAsJane(page: Page, password: string): Promise<void> {
  await page.goto('/login');
  await signIn(page, { username: jane.name, password });
}

test('says why a wrong mail port fails, and saves the right one', async ({ page, service }) => {
  await service.enter(page);
  await page.goto('/patch-repository/email-configuration');
  await page.getByLabel('Server').fill('127.0.0.1');
  await page.getByLabel('Security').click();
  await page.getByTitle('None: not encrypted').click();
  await page.getByLabel('Port').fill('1');
  await page.getByLabel('Sender’s email').fill('patch@example.org');
  await page.getByRole('checkbox', { name: 'No authentication' }).check();
  await page.getByRole('button', { name: 'Test connection' }).click();
  const result = page.getByRole('region', { name: 'Last test' });
  await expect(result).toContainText('Unable to connect with provided details.');
  await expect(result).toContainText('Failed to connect.');
  await expect(result.getByRole('listitem').filter({ hasText: 'Connect' })).toContainText('Port 1');
  await page.getByLabel('Port').fill(String(mails.port));
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(result).toContainText('Connected Successfully.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('email server configuration saved')).toBeVisible();
});

test('a user is made, with a first password', async ({ page, service }) => {
  await service.enter(page);
  await page.goto('/patch-repository/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('Name', { exact: true }).fill(jane.name);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(jane.email);
  await page.getByRole('radio', { name: 'Set a password' }).check();
  // Read-only until it has the focus.
  await page.getByLabel('Password', { exact: true }).focus();
  await page.getByLabel('Password', { exact: true }).fill(jane.first);
  await page.getByRole('button', { name: 'Create user' }).click();
  await expect(page.getByText('jane is created.')).toBeVisible();
  await expect(page.getByText(jane.email)).toBeVisible();
});

let secret = '';

test('she changes her first password, and switches the second factor on', async ({ page }) => {
  await signInAsJane(page, jane.first);
  await page.getByLabel('Current password').fill(jane.first);
  await page.getByLabel('New password', { exact: true }).fill(jane.own);
  await page.getByLabel('Confirm password').fill(jane.own);
  await page
    .getByRole('button', { name: /password/i })
    .last()
    .click();
  await expect(page.getByText('password updated successfully')).toBeVisible();
  await signInAsJane(page, jane.own);
  await page.waitForURL(/patch-repository/);
  await page.goto('/patch-repository/account');
  await page.getByRole('button', { name: 'Enable' }).click();
  secret = (
    await page
      .locator('code')
      .filter({ hasText: /^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/ })
      .innerText()
  ).replaceAll(' ', '');
  await page.getByLabel('Current password').fill(jane.own);
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(
    10,
  );
});

test('resets a password by email, and requires the second factor', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: /forgot/i }).click();
  await page.getByLabel('Email').fill(jane.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const mailed = () => mails.taken.find(({ to }) => to.includes(jane.email))?.text ?? '';
  await expect.poll(mailed, { timeout: 30_000 }).toContain('reset-password');
  const link = /https?:\/\/\S+\/reset-password\/[\w-]+/.exec(readable(mailed()))?.[0] ?? '';
  await page.goto(new URL(link).pathname);
  await page.getByLabel('New password', { exact: true }).fill(jane.reset);
  await page.getByLabel('Confirm password').fill(jane.reset);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('Password has been reset successfully.')).toBeVisible();
  await signInAsJane(page, jane.reset);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  // The code of the next step: the server takes it already, and refuses a code a second time.
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now() + 30_000));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/patch-repository/);
});

test('a client is registered, fetches with its code, and its row tells when', async ({
  page,
  service,
  baseURL,
}) => {
  await service.enter(page);
  await page.goto('/patch-repository/floto-user');
  await page.getByRole('button', { name: 'Register a client' }).click();
  await page.getByLabel('Client', { exact: true }).fill('Acme Europe');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const record = page.getByRole('dialog').filter({ hasText: 'Not activated yet' });
  await expect(record).toBeVisible();
  const code = /[0-9A-Z]{5}(-[0-9A-Z]{5}){4}/.exec(await record.innerText())?.[0] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'patch-client-walk-'));
  try {
    const call = ['--server', baseURL ?? '', '--code', code, '--folder', folder];
    await promisify(execFile)(process.execPath, [program, ...call]);
    const { totalCount } = await service.search('/linux/almalinux/search', 'size=1');
    const copy =
      (await readdir(folder, { recursive: true })).find(
        (name) => name.includes('almalinux_patch') && name.endsWith('.jsonl'),
      ) ?? '';
    expect((await readFile(join(folder, copy), 'utf8')).trim().split('\n')).toHaveLength(
      totalCount,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  await page.goto('/patch-repository/floto-user');
  const row = page.locator('[data-row]').filter({ hasText: 'Acme Europe' });
  await expect(row).toContainText('just now');
  await row.click();
  await expect(page.getByRole('dialog')).toContainText('Active');
  await expect(page.getByRole('dialog')).toContainText(
    'The client is up to date with its families.',
  );
});
