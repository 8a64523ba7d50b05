/** The date picker inside a criterion, over the rows of a real list: what only a browser shows, which part lies over which. */
import type { Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { narrow, wide } from './screens.ts';

test.beforeEach(({ page, service }) => service.enter(page));

const field = (page: Page) => page.getByRole('textbox', { name: 'Updated' });
const picker = (page: Page) => page.getByRole('dialog', { name: 'Add criterion: Updated' });
const calendar = (page: Page) =>
  page.locator('.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)');
const drawer = (page: Page) => page.locator('.ant-drawer-content-wrapper');
const day = (page: Page) => calendar(page).locator('td.ant-picker-cell-in-view').nth(9);

// Hours and minutes move to what is chosen when they appear; this column stands still.
const afternoon = (page: Page) =>
  calendar(page).locator('.ant-picker-time-panel-column').last().getByText('PM', { exact: true });

/** The calendar of a date of one's own. */
async function openCalendar(page: Page): Promise<void> {
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await page.getByRole('button', { name: 'Add criterion' }).click();
  await page.getByRole('option', { name: 'Updated updatedTime' }).click();
  await picker(page).getByText('Custom').click();
  await field(page).click();
  await expect(calendar(page)).toBeVisible();
}

/** Chooses a day. The calendar may still be moving to its position when it is clicked first: then the click chooses nothing. */
async function chooseDay(page: Page): Promise<void> {
  await expect(async () => {
    await day(page).click({ timeout: 5000 });
    await expect(calendar(page)).toBeHidden({ timeout: 2000 });
  }).toPass();
}

for (const viewport of [wide, narrow]) {
  test.describe(`at ${viewport.width} pixels`, () => {
    test.use({ viewport });

    test('reaches all of the calendar, a day, a time and Done after them', async ({ page }) => {
      await page.goto('/patch-repository');
      await openCalendar(page);
      const box = await calendar(page).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
      await chooseDay(page);
      await expect(field(page)).toHaveValue(/^10\/\d\d\/\d{4} 12:00 AM$/);
      await expect(field(page)).toBeFocused();
      await field(page).click();
      // The calendar may still be moving to its position when it is clicked first.
      await expect(async () => {
        await afternoon(page).click();
        await expect(field(page)).toHaveValue(/12:00 PM$/, { timeout: 1000 });
      }).toPass();
      await page.keyboard.press('Escape');
      await expect(calendar(page)).toBeHidden();
      await picker(page).getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('list', { name: 'Criteria' })).toContainText('Updated');
      await expect(page).toHaveURL(/criteria=updatedTime/);
    });
  });
}

test('Escape and a click outside close the calendar, then the criterion, and open no record', async ({
  page,
}) => {
  await page.goto('/patch-repository');
  await openCalendar(page);
  await page.keyboard.press('Escape');
  await expect(calendar(page)).toBeHidden();
  await expect(picker(page)).toBeVisible();
  await field(page).click();
  await afternoon(page).click();
  await page.keyboard.press('Escape');
  await expect(calendar(page)).toBeHidden();
  await expect(picker(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picker(page)).toBeHidden();

  await openCalendar(page);
  const row = page.locator('[data-row]').last();
  const { x, y, width, height } = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const point = [x + width - 60, Math.min(y + height / 2, 780)] as const;
  await page.mouse.click(...point);
  await expect(calendar(page)).toBeHidden();
  await expect(picker(page)).toBeVisible();
  await page.mouse.click(...point);
  await expect(picker(page)).toBeHidden();
  await page.waitForTimeout(300);
  await expect(drawer(page)).toHaveCount(0);
  await page.mouse.click(...point);
  await expect(drawer(page)).toBeVisible();
});
