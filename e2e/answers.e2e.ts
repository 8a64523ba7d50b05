/** The questions that administrators ask first, each answered in a counted number of steps and without scrolling. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './product.ts';
import { narrow, wide } from './screens.ts';

test.beforeEach(({ page, service }) => service.enter(page));

/** The whole element stands in the window, without scrolling. */
async function expectAboveFold(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  expect(await page.evaluate('window.scrollY')).toBe(0);
  const box = await element.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
}

test('the fixes of a CVE over all vendors: two steps from home', async ({ page, service }) => {
  const { objList } = await service.search('/vulnerabilities/search', 'size=1&sort=-recordCount');
  const cve = String(objList[0]?.['cve']);
  await page.goto('/patch-repository');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const box = page.getByRole('combobox', { name: 'Identifier, screen or command' });
  await page.keyboard.press('Control+k');
  // One: type the CVE. Two: Enter.
  await box.fill(cve);
  await box.press('Enter');
  await page.waitForURL(`**/patch-repository/identifier/${cve}`);
  const fixes = page.getByRole('table', { name: 'Fixes by vendor and release' });
  await expectAboveFold(page, fixes.getByRole('row').nth(1));
  await expect(fixes.getByText(/^(Fixed|Listed) in/).first()).toBeVisible();
});

test('whether a KB is superseded and what to install instead: above the fold, wide and narrow', async ({
  page,
  service,
}) => {
  const { objList } = await service.search('/windows/kb/search', 'size=200&sort=-releaseDate');
  const old = objList.find((row) => row['superseded'] === true && row['latestKb'] !== row['kbId']);
  // One step: the record is opened.
  await page.goto(`/patch-repository/record/${String(old?.['id'])}`);
  const card = page.getByLabel('At a glance');
  const instead = card.getByRole('link', { name: String(old?.['latestKb']), exact: true });
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport);
    await expectAboveFold(page, card.getByText('Superseded', { exact: true }));
    await expectAboveFold(page, instead);
  }
  await expect(card.getByText(/^released /)).toBeVisible();
  await expect(card.getByText(/According to Microsoft, read/)).toBeVisible();
});

test('shows what to patch first and which sources are silent, one step from home and without scrolling', async ({
  page,
}) => {
  await page.goto('/patch-repository');
  // One step: the dashboard's link in the header.
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  const first = page.getByRole('region', { name: 'Patch these first' });
  await expectAboveFold(page, first.getByText(/known exploited/).first());
  // The mirror's documents are older than their rhythm.
  await expectAboveFold(page, page.getByText(/\d+ silent/).first());
  const sources = page.getByRole('region', { name: 'Sources' });
  await expect(sources.getByRole('link', { name: 'AlmaLinux' })).toBeVisible();
  await expect(sources.getByText(/^Silent for /).first()).toBeVisible();
});
