/** Where the focus is after something has opened and closed, and that nothing lies over the edge of windows between phone and desk. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { Service } from './service.ts';

const home = '/patch-repository';
const screen = `${home}/almalinux-patch`;
const longClient =
  'A client whose name is as long as the names of holding companies are wont to be, International';

let service: Service;

test.beforeEach(async ({ page, request }) => {
  service = await Service.signedIn(request);
  await service.synced('almaLinux');
  await service.furnished();
  await service.ask('DELETE', '/preference/almalinux_patch');
  await service.enter(page);
});

const rows = (page: Page) => page.locator('[data-row]');
const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element.contains(element.ownerDocument.activeElement));

for (const [name, role] of [
  ['Columns', 'dialog'],
  ['Views', 'dialog'],
  ['Export', 'menu'],
] as const) {
  test(`${name} takes the focus when it opens, and gives it back`, async ({ page }) => {
    await page.goto(screen);
    const button = page.getByRole('button', { name, exact: true });
    await button.press('Enter');
    await expect.poll(() => isFocused(page.getByRole(role))).toBe(true);
    await page.keyboard.press('Escape');
    await expect(page.getByRole(role)).toHaveCount(0);
    await expect(button).toBeFocused();
  });
}

test('a criterion is added with the keyboard alone', async ({ page }) => {
  await page.goto(screen);
  await rows(page).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('sever');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'Critical', exact: true })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/criteria=severity\.in\.Critical/);
  await expect(page.getByRole('combobox', { name: /^Search/ })).toBeFocused();
});

test('the focus is back on its row when the drawer of a record has closed', async ({ page }) => {
  await page.goto(screen);
  const row = rows(page).nth(3);
  await row.click();
  await page.getByRole('dialog').getByText('Packages').first().waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row).toBeFocused();
});

test('the focus is back where it was when the box for identifiers has closed', async ({ page }) => {
  await page.goto(screen);
  const row = rows(page).first();
  await row.focus();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Identifier, screen or command' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
});

test('the focus is on the page when what was asked from is gone', async ({ page }) => {
  await page.goto(`${screen}?keyword=kernel`);
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).press('Enter');
  await expect(page).not.toHaveURL(/keyword/);
  await expect(page.getByRole('main')).toBeFocused();
});

test('changes of a form are not left behind without a question', async ({ page }) => {
  await page.goto(`${home}/email-configuration`);
  await page.getByLabel('Server').fill('mail.example.org');
  await page.getByRole('link', { name: 'KB base' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('Server')).toHaveValue('mail.example.org');
  await page.getByRole('link', { name: 'KB base' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'KB base' })).toBeVisible();
});

for (const width of [390, 768, 1024]) {
  test(`${width} px wide, nothing lies over the edge, however long a name is`, async ({ page }) => {
    const clients = await service.search('/windows/user/search', 'size=100');
    if (!clients.objList.some(({ clientName }) => clientName === longClient))
      await service.ask('POST', '/windows/user', {
        clientName: longClient,
        licenseType: 'perpetual',
        licenseExpiry: null,
        ...client,
      });
    await page.setViewportSize({ width, height: 800 });
    for (const [path, ready] of [
      ['floto-user', page.getByText(longClient).first()],
      ['linux-patch-repository', page.getByRole('heading', { level: 1 })],
      ['sync', page.getByRole('button', { name: 'Settings of AlmaLinux' })],
      ['users', page.getByText('admin@example.org').first()],
      ['audit', page.getByRole('button', { name: 'Verify' })],
      ['configuration', page.getByRole('region', { name: 'Passwords' })],
    ] as const) {
      await page.goto(`${home}/${path}`);
      await ready.waitFor();
      const over = await page.evaluate<string[]>(overTheEdge);
      expect(over, path).toEqual([]);
    }
  });
}

test('a long title of a dialog ends before the button that closes it', async ({ page }) => {
  const name = 'w '.repeat(50).trim();
  const search = { criteria: '', keyword: 'kernel', sort: null, columns: null };
  const view = { list: 'almalinux_patch', name, shared: false, isDefault: false, search };
  const { id } = await service.ask<{ id: number }>('POST', '/views', view);
  // Measured where it stays, not while it comes.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(screen);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: `Alert for '${name}'` }).click();
  const close = await page.getByRole('button', { name: 'Close' }).boundingBox();
  const title = await page.getByText(`Alert for '${name}'`).evaluate((element) => {
    const words = element.ownerDocument.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect().right;
  });
  await service.ask('DELETE', `/views/${id}`);
  expect(title).toBeLessThanOrEqual(close?.x ?? 0);
});

const client = {
  deploymentMode: 'standalone',
  environment: 'production',
  technicianLicence: 'named',
  technicians: 1,
  itAssets: 0,
  nonItAssets: 0,
  endPoints: 0,
  families: ['almaLinux'],
  contactEmail: '',
  notes: '',
};

/** Runs in the page: the page itself when it can be scrolled sideways, and inputs that are wider than their part of a form. */
const overTheEdge = `[
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
  ...Array.from(document.querySelectorAll('section[aria-label] input'))
    .filter((input) => input.getBoundingClientRect().right > input.closest('section').getBoundingClientRect().right)
    .map((input) => 'the input ' + input.id),
]`;
