/** Where the focus is after something has opened and closed, and that nothing lies over the edge of windows between phone and desk. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { exampleClient } from './service.ts';

const home = '/patch-repository';
const screen = `${home}/almalinux-patch`;
const longClient =
  'A client whose name is as long as the names of holding companies are wont to be, International';

test.beforeEach(async ({ page, service }) => {
  await service.ask('DELETE', '/preference/almalinux_patch');
  await service.enter(page);
});

const rows = (page: Page) => page.locator('[data-row]');
const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element.contains(element.ownerDocument.activeElement));

test('gives the focus back after Columns, Views and Export have had it', async ({ page }) => {
  await page.goto(screen);
  for (const [name, role] of [
    ['Columns', 'dialog'],
    ['Views', 'dialog'],
    ['Export', 'menu'],
  ] as const) {
    const button = page.getByRole('button', { name, exact: true });
    await button.press('Enter');
    await expect.poll(() => isFocused(page.getByRole(role)), name).toBe(true);
    await page.keyboard.press('Escape');
    await expect(page.getByRole(role)).toHaveCount(0);
    await expect(button).toBeFocused();
  }
});

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

test('keeps everything inside windows of 390, 768 and 1024 px, however long a name is', async ({
  page,
  service,
}) => {
  const clients = await service.search('/windows/user/search', 'size=100');
  if (!clients.objList.some(({ clientName }) => clientName === longClient))
    await service.ask('POST', '/windows/user', { ...exampleClient, clientName: longClient });
  for (const [path, ready] of [
    ['floto-user', page.getByText(longClient).first()],
    ['linux-patch-repository', page.getByRole('heading', { level: 1 })],
    ['sync', page.getByRole('button', { name: 'Settings of AlmaLinux' })],
    ['users', page.getByText('admin@example.org').first()],
    ['audit', page.getByRole('button', { name: 'Verify' })],
    ['configuration', page.getByRole('region', { name: 'Passwords' })],
  ] as const) {
    await page.goto(`${home}/${path}`);
    for (const width of [390, 768, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      await ready.waitFor();
      const over = await page.evaluate<string[]>(overTheEdge);
      expect(over, `${path} at ${width} px`).toEqual([]);
    }
  }
});

test('a long title of a dialog ends before the button that closes it', async ({
  page,
  service,
}) => {
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

/** Runs in the page: the page itself when it can be scrolled sideways, and inputs that are wider than their part of a form. */
const overTheEdge = `[
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
  ...Array.from(document.querySelectorAll('section[aria-label] input'))
    .filter((input) => input.getBoundingClientRect().right > input.closest('section').getBoundingClientRect().right)
    .map((input) => 'the input ' + input.id),
]`;
