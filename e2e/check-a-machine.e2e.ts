/** Checks a machine: pastes an rpm list and systeminfo, reads the answer and copies its command. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';

const rpmList = `NAME="AlmaLinux"
VERSION="8.9 (Midnight Oncilla)"
ID="almalinux"
VERSION_ID="8.9"
4.18.0-513.5.1.el8_9.x86_64
bash-4.4.20-4.el8_6.x86_64
openssl-libs-1.1.1k-9.el8_7.x86_64
libxml2-2.9.7-16.el8.x86_64
python3-libxml2-2.9.7-16.el8.x86_64
glibc-2.28-225.el8.x86_64
glibc-common-2.28-225.el8.x86_64
`;

const column = ' '.repeat(27);
const systeminfo = `
Host Name:                 EXAMPLE
OS Name:                   Microsoft Windows Server 2022 Standard
OS Version:                10.0.20348 N/A Build 20348
OS Manufacturer:           Microsoft Corporation
System Type:               x64-based PC
Hotfix(s):                 2 Hotfix(s) Installed.
${column}[01]: KB5012170
${column}[02]: KB5034770
Network Card(s):           1 NIC(s) Installed.
`;

test.beforeEach(async ({ page, context, service }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await service.enter(page);
});

async function check(page: Page, text: string): Promise<void> {
  await page.goto('/patch-repository/check-machine');
  await page.getByLabel('Output of the machine’s tools').fill(text);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
}

/** Opens every group of records. */
const unfold = (page: Page) =>
  page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

test('an rpm list is read, and its command copied', async ({ page }) => {
  await check(page, rpmList);
  await expect(
    page.getByRole('heading', {
      name: /^At least \d+ patches missing, judged with AlmaLinux data up to /,
    }),
  ).toBeVisible();
  const command = page.getByText(/^dnf upgrade --advisory=ALSA-/).first();
  await page.getByRole('button', { name: 'Copy command' }).first().click();
  expect(await copied(page)).toBe(await command.textContent());
  await unfold(page);
  await expect(page.getByText(/^libxml2 2\.9\.7-16\.el8 → 2\.9\.7-/).first()).toBeVisible();
  // An rpm list lacks facts: the advice names the command that prints them.
  await expect(page.getByText('The list has no epochs')).toBeVisible();
  // Nothing of the paste stays in the browser.
  expect(page.url()).not.toContain('libxml2');
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(
    'libxml2',
  );
});

test('systeminfo is read, and leads to the record of the update', async ({ page }) => {
  await check(page, systeminfo);
  await expect(
    page.getByText(/^Microsoft Windows Server 2022 Standard 10\.0\.20348 /),
  ).toBeVisible();
  await unfold(page);
  const kb = await page
    .getByRole('listitem')
    .getByText(/^KB\d+$/)
    .first()
    .textContent();
  const row = page.getByRole('row', { name: new RegExp(`^${kb ?? ''} `) }).first();
  await expect(row).toContainText(/10\.0\.20348\.2322 → 10\.0\.20348\./);
  await row.getByRole('link').click();
  await expect(
    page
      .getByRole('dialog')
      .or(page.getByRole('heading', { level: 1 }))
      .first(),
  ).toBeVisible();
  await expect(page.getByText(kb ?? '').first()).toBeVisible();
});
