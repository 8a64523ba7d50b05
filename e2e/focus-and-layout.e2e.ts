/** Where the focus is after something has opened and closed, and that a long title leaves room for the button that closes. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './product.ts';

const screen = '/patch-repository/almalinux-patch';
const boxName = 'Identifier, screen or command';

test.beforeEach(({ page, service }) => service.enter(page));

const rows = (page: Page) => page.locator('[data-row]');
const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element.contains(element.ownerDocument.activeElement));

test('the focus is back where it was when something has closed', async ({ page }) => {
  await page.goto(screen);
  for (const [name, role] of [
    ['Columns', 'dialog'],
    ['Views', 'dialog'],
    ['Export', 'menu'],
    ['Subscribe', 'dialog'],
  ] as const)
    await test.step(name, async () => {
      const button = page.getByRole('button', { name, exact: true });
      await button.press('Enter');
      await expect.poll(() => isFocused(page.getByRole(role)), name).toBe(true);
      await page.keyboard.press('Escape');
      await expect(page.getByRole(role)).toHaveCount(0);
      await expect(button).toBeFocused();
    });

  await test.step('the drawer of a record, and the box for identifiers over it', async () => {
    const row = rows(page).nth(3);
    await row.click();
    await page.getByRole('dialog').getByText('Packages').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await expect(page.getByRole('combobox', { name: boxName })).toHaveValue('audit');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('combobox', { name: boxName })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(row).toBeFocused();
  });

  await test.step('the box for identifiers', async () => {
    const row = rows(page).first();
    await row.focus();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: boxName })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
  });
});

test('a criterion is added with the keyboard alone, and the focus is on the page when it is gone', async ({
  page,
}) => {
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

  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).press('Enter');
  await expect(page).not.toHaveURL(/criteria/);
  await expect(page.getByRole('main')).toBeFocused();
});

test('a long title of a dialog ends before the button that closes it', async ({
  page,
  service,
}) => {
  const name = 'w '.repeat(50).trim();
  const search = { criteria: '', keyword: 'kernel', sort: null, columns: null };
  const view = { list: 'almalinux_patch', name, shared: false, isDefault: false, search };
  await service.ask('POST', '/views', view);
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
  expect(title).toBeLessThanOrEqual(close?.x ?? 0);
});

test('forced colours tell the current tab and the pressed button from the others', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/patch-repository/all-patches');
  const histogram = page.getByRole('button', { name: 'Histogram' });
  await expect(histogram).toHaveAttribute('aria-pressed', 'true');
  const look = (locator: Locator) =>
    locator.evaluate((element) => {
      const { defaultView } = element.ownerDocument;
      const style = defaultView?.getComputedStyle(element);
      return {
        backgroundColor: style?.backgroundColor,
        borderBottomWidth: style?.borderBottomWidth,
      };
    });
  const pressed = await look(histogram);
  await histogram.press('Enter');
  await expect(histogram).toHaveAttribute('aria-pressed', 'false');
  await page.mouse.move(0, 0);
  await expect
    .poll(async () => (await look(histogram)).backgroundColor)
    .not.toBe(pressed.backgroundColor);
  const tab = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
  await expect(page.getByRole('banner').locator('[aria-current="page"]')).toHaveCount(1);
  expect((await look(tab('All patches'))).borderBottomWidth).toBe('2px');
  for (const other of ['Dashboard', 'Vulnerabilities', 'Machines'])
    expect((await look(tab(other))).borderBottomWidth).toBe('0px');
});
