/** Defects that lists of other consoles have: each is tried here over the real server and the vendors' own records. */
import { readFile } from 'node:fs/promises';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import type { Page } from '@playwright/test';
import { furnishedSources } from './furnish.ts';
import { expect, test } from './product.ts';

const path = '/linux/almalinux/search';
const screen = '/patch-repository/almalinux-patch';

test.beforeEach(async ({ page, service }) => {
  // What one walk prefers is not the next one's business.
  await service.ask('DELETE', '/preference/almalinux_patch');
  await service.enter(page);
});

const rows = (page: Page) => page.getByRole('grid').locator('[data-row]');
const shown = (page: Page) => page.getByText(/^[\d,]+–[\d,]+ of [\d,]+$/);
async function search(page: Page, words: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Search AlmaLinux patches' });
  await box.fill(words);
  await box.press('Enter');
}

test('a search finds what is on no page that was loaded', async ({ page, service }) => {
  const { totalCount } = await service.search(path, 'size=1');
  const { objList } = await service.search(
    path,
    `offset=${totalCount - 1}&size=1&sort=-releaseDate`,
  );
  const last = String(objList[0]?.['bulletinId']);
  await page.goto(screen);
  await expect(rows(page)).toHaveCount(25);
  await expect(page.getByText(last)).toHaveCount(0);
  await search(page, last);
  await expect(rows(page).filter({ hasText: last })).toHaveCount(1);
});

test('another page size is another answer, also after going back to the first', async ({
  page,
}) => {
  await page.goto(screen);
  await expect(shown(page)).toHaveText(/^1–25 of/);
  for (const size of [50, 10, 25]) {
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption(`${size} per page`);
    await expect(shown(page)).toHaveText(new RegExp(`^1–${size} of`));
    await expect(rows(page)).toHaveCount(size);
  }
});

test('a number of the dashboard leads to the list that it counts', async ({ page }) => {
  await page.goto('/patch-repository/dashboard');
  const figure = page.getByRole('link', { name: /^\d+ registered: show them$/ });
  const number = Number(await figure.textContent());
  expect(number).toBeGreaterThan(0);
  await figure.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Licensed clients' })).toBeVisible();
  await expect(rows(page)).toHaveCount(number);
});

test('the count is the number of rows that turning all pages shows', async ({ page }) => {
  await page.goto(`${screen}?criteria=severity.equal.Important&size=50`);
  const total = Number(
    /of ([\d,]+)$/.exec((await shown(page).textContent()) ?? '')?.[1]?.replaceAll(',', ''),
  );
  expect(total).toBeGreaterThan(50);
  const seen = new Set<string>();
  const next = page.getByRole('button', { name: 'Next page' });
  for (;;) {
    await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
    for (const id of await rows(page).evaluateAll((all) =>
      all.map((row) => row.dataset['row'] ?? ''),
    ))
      seen.add(id);
    if (await next.isDisabled()) break;
    const before = await rows(page).first().getAttribute('data-row');
    await next.click();
    await expect(rows(page).first()).not.toHaveAttribute('data-row', before ?? '');
  }
  expect(seen.size).toBe(total);
});

test('an export holds all rows of the search in the columns that are shown', async ({ page }) => {
  await page.goto(
    `${screen}?criteria=severity.equal.Critical&columns=severity,bulletinId&sort=bulletinId`,
  );
  const total = Number.parseInt(
    ((await page.getByText(/^[\d,]+ matching records?$/).textContent()) ?? '').replaceAll(',', ''),
    10,
  );
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText('CSV, for spreadsheets').click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^almalinux-patch-.*\.csv$/);
  const [head, ...lines] = (await readFile(await download.path(), 'utf8'))
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n');
  expect(head).toBe('Severity,Bulletin');
  expect(lines).toHaveLength(total);
  expect(lines.every((line) => line.startsWith('Critical,ALSA-'))).toBe(true);
  expect(lines).toEqual(lines.toSorted((a, b) => (a < b ? -1 : 1)));
});

test('what was never synced, and what its vendor has left, is not shown as healthy', async ({
  page,
  service,
}) => {
  await page.goto('/patch-repository/dashboard');
  const concerns = page.getByRole('region', { name: 'Stale and silent sources' });
  await expect(concerns).toContainText(/Never synced: .*Pardus/);
  const sources = page.getByRole('region', { name: 'Source rhythm' });
  await expect(sources.getByRole('listitem').filter({ hasText: 'Pardus' })).toContainText(
    'Never synced',
  );
  await expect(sources.getByRole('listitem').filter({ hasText: 'AlmaLinux' })).toContainText(
    /Silent for [\d,]+ days, usually every/,
  );
  const { id: _, ...synced } = await service.ask<Record<string, number | null>>(
    'GET',
    '/linux/patchsysncdetails',
  );
  expect(Object.values(synced).filter((time) => time !== null)).toHaveLength(
    furnishedSources.length,
  );
  const others = sourceKeys.length - furnishedSources.length;
  await expect(
    page.getByText(
      new RegExp(`^0 of ${sourceKeys.length} sources are fresh, \\d+ silent, ${others} not synced`),
    ),
  ).toBeVisible();
});

test('a gateway that does not answer is asked no more than anybody wants', async ({ page }) => {
  let asked = 0;
  await page.route(`**/api${path}**`, (route) => {
    asked += 1;
    return route.fulfill({
      status: 504,
      body: '<html>Gateway Time-out</html>',
      contentType: 'text/html',
    });
  });
  await page.clock.install();
  await page.goto(screen);
  const reload = page.getByRole('button', { name: 'Reload' });
  await expect(reload).toBeVisible();
  await page.clock.runFor(6000);
  expect(asked).toBeLessThanOrEqual(2);
  const before = asked;
  await reload.click();
  await expect.poll(() => asked).toBeGreaterThan(before);
  await page.clock.runFor(3000);
  expect(asked).toBeLessThanOrEqual(before + 2);
  await page.unroute(`**/api${path}**`);
  await reload.click();
  await expect(rows(page)).toHaveCount(25);
});
