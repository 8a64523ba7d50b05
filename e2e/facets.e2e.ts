/** Facets and histogram over the vendors' own records: what they count, what a press does, and what they cost. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Download, Locator, Page } from '@playwright/test';
import { expect, test } from './product.ts';
import type { Service } from './service.ts';

const alma = { path: '/linux/almalinux/search', screen: '/patch-repository/almalinux-patch' };
const kbs = { path: '/windows/kb/search', screen: '/patch-repository' };

test.beforeEach(({ page, service }) => service.enter(page));

const rows = (page: Page) => page.getByRole('grid').locator('[data-row]');
const total = (page: Page) => page.getByText(/^[\d,]+ (matching )?records?( of [\d,]+ updates?)?$/);
const facet = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Filters' }).getByRole('group', { name, exact: true });
const chart = (page: Page) => page.getByRole('slider', { name: /^Release date by/ });
const count = async (service: Service, path: string, filter: string): Promise<number> =>
  (await service.search(path, 'size=1', { filter })).totalCount;
const formatted = (many: number) => many.toLocaleString('en');

async function readCsvLines(download: Download): Promise<readonly string[]> {
  const text = await readFile(await download.path(), 'utf8');
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
}

test('a brush over the bars sets the dates', async ({ page }) => {
  await page.goto(alma.screen);
  const bars = chart(page);
  const { x, y, width } = await measureBox(bars);
  await page.mouse.move(x + width * 0.4, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + 20, { steps: 4 });
  const readout = await bars.getAttribute('aria-valuetext');
  const said = Number(/: ([\d,]*\d)/.exec(readout ?? '')?.[1]?.replaceAll(',', ''));
  await page.mouse.up();
  await expect(page.getByText('Release date between')).toBeVisible();
  await expect(total(page)).toHaveText(`${formatted(said)} matching records`);
});

test('exploited Windows KBs of the last 90 days for Server 2022 are a CSV in four presses, or one line', async ({
  page,
  service,
}) => {
  const product = "lower(productName) in ('windows server 2022')";
  const { objList } = await service.search(kbs.path, 'size=1&sort=-releaseDate', {
    filter: `exploited = true and ${product}`,
  });
  // The records of the mirror are as old as it is: the person looks on the day after.
  const now = Number(objList[0]?.['releaseDate']) + 86_400_000;
  await page.clock.setFixedTime(now);
  const since = now - 90 * 86_400_000;
  const found = await count(
    service,
    kbs.path,
    `exploited = true and ${product} and releaseDate between ${since} and ${now}`,
  );
  expect(found).toBeGreaterThan(0);

  await page.goto(kbs.screen);
  let presses = 0;
  const press = async (what: Locator) => {
    presses += 1;
    await what.click();
  };
  await press(facet(page, 'Exploited').getByRole('checkbox', { name: /^Yes/ }));
  await press(page.getByRole('button', { name: 'Last 90 days' }));
  await press(page.getByRole('searchbox', { name: 'Filter Product' }));
  await page.keyboard.type('server 2022');
  await page.keyboard.press('Enter');
  await expect(total(page)).toHaveText(new RegExp(`^${found} matching records?`));
  const [byMouse] = await Promise.all([
    page.waitForEvent('download'),
    press(page.getByRole('button', { name: 'Download CSV' })),
  ]);
  expect(presses).toBe(4);
  const [head, ...lines] = await readCsvLines(byMouse);
  // The first head is the box that selects rows.
  const [, ...heads] = await page.getByRole('grid').getByRole('columnheader').allTextContents();
  expect(head).toBe(heads.join(','));
  expect(lines).toHaveLength(found);

  await page.goto(kbs.screen);
  await expect(rows(page)).toHaveCount(25);
  await page.keyboard.press('/');
  await page.keyboard.type(
    'exploited:yes releaseDate:<90d productName="Windows Server 2022" export:csv',
  );
  const [byKeys] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(await readCsvLines(byKeys)).toEqual([head, ...lines]);
});

test('the scripts of a list stay small and few, and nothing moves when its numbers arrive', async ({
  page,
}) => {
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      scripts.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  // The chart's script waits, so that the scripts of the rows are counted without it.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/summary-.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/patch-repository/all-patches');
  await expect(rows(page)).toHaveCount(25);
  const atRows = await Promise.all(scripts);
  const before = await measureBox(rows(page).first());
  release();
  await expect(chart(page)).toBeVisible();
  await expect(facet(page, 'Severity or CVSS').getByRole('checkbox').first()).toBeVisible();
  const atNumbers = await Promise.all(scripts);
  const kilobytes = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) / 1000;
  expect(atRows.length).toBeLessThanOrEqual(15);
  expect(kilobytes(atRows)).toBeLessThanOrEqual(232);
  expect(kilobytes(atNumbers)).toBeLessThanOrEqual(250);
  expect(atNumbers.length).toBeGreaterThan(atRows.length);
  expect(await measureBox(rows(page).first())).toEqual(before);
});

test('keeps the rows when the scripts of their numbers cannot be fetched', async ({ page }) => {
  // As when the server was updated meanwhile and no longer has the file.
  await page.route(/\/assets\/summary-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.goto(alma.screen);
  await expect(page.getByText(/^This part could not be loaded/).first()).toBeVisible();
  await expect(rows(page)).toHaveCount(25);
});

async function measureBox(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not shown');
  return box;
}
