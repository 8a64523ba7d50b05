/** A month of updates: opened, narrowed to products, compared with its lists, taken away as files, printed. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { allViolations } from './accessibility.ts';
import { countRows, readCountedLinks } from './counted-links.ts';
import { expect, test } from './product.ts';
import { narrow, settle, wide } from './screens.ts';
import type { Service } from './service.ts';
import { signIn } from './sign-in.ts';

const may = '/patch-repository/month/2026-05';
const product = 'Windows Server 2022';

const title = (page: Page, month: string) =>
  page.getByRole('heading', { level: 1, name: `Updates of ${month}` });

async function untilComplete(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Updates of Microsoft Windows by product' }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
  await settle(page);
}

async function expectEachNumberToBeItsRows(page: Page, service: Service): Promise<void> {
  const links = await readCountedLinks(page);
  expect(links.length).toBeGreaterThan(10);
  for (const { label, href, count } of links)
    expect(await countRows(service, href, 'UTC'), `${label} ${href}`).toBe(count);
}

async function takeFile(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFile(await download.path(), 'utf8');
}

test('opens from the dashboard, and changes by keyboard', async ({ page, service }) => {
  await service.enter(page);
  await page.goto('/patch-repository/dashboard');
  await page.getByRole('link', { name: 'Updates of this month' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: /^Updates of \w+ \d{4}$/ }),
  ).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('may 2026');
  await page.keyboard.press('Enter');
  await expect(title(page, 'May 2026')).toBeVisible();
  const months = page.getByRole('navigation', { name: 'Months' });
  await months.getByRole('link', { name: 'April 2026' }).focus();
  await page.keyboard.press('Enter');
  await expect(title(page, 'April 2026')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title(page, 'May 2026')).toBeFocused();
});

test('shows my products, each number with its rows, and what is new since a day', async ({
  page,
  service,
}) => {
  // A person of their own: the choice of products is a preference, which other walks must not meet.
  const person = await service.addUser('month-reader');
  await page.goto(may);
  await signIn(page, person);
  await untilComplete(page);
  await expectEachNumberToBeItsRows(page, service);
  const updates = page.getByRole('region', { name: 'In numbers' }).getByRole('link', {
    name: /^\d+ updates: show them$/,
  });
  const all = Number(await updates.textContent());

  await page.getByRole('button', { name: 'Choose my products' }).click();
  await page.getByRole('combobox', { name: 'Products' }).fill(product);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save my products' }).click();
  await expect(page.getByText(`Products (chosen): ${product}`)).toBeVisible();
  await untilComplete(page);
  const own = Number(await updates.textContent());
  expect(own).toBeGreaterThan(0);
  expect(own).toBeLessThan(all);
  await expectEachNumberToBeItsRows(page, service);
  const groups = page.getByRole('rowheader').filter({ hasText: / · \d+ updates?$/ });
  await expect(groups).toHaveText([new RegExp(`^${product} · ${own} updates?$`)]);

  // All records of the walks were first seen after that day.
  await page.getByLabel(/^Changed since/).fill('2026-05-01');
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes.getByRole('link', { name: /updates first seen since/ })).toHaveText(
    `${own}`,
  );

  const markdown = await takeFile(page, 'Markdown');
  expect(markdown).toMatch(/^# Updates of May 2026\n\nAs of [\d-]+ [\d:]+ UTC\. /);
  expect(markdown).toContain(`Products (chosen): ${product}.`);
  expect(markdown.match(/^\| \[KB/gm)).toHaveLength(own);
  const csv = (await takeFile(page, 'CSV')).trimEnd().split('\r\n');
  expect(csv.slice(1).every((line) => line.startsWith('Microsoft Windows,KB'))).toBe(true);
  expect(csv).toHaveLength(1 + own);

  await updates.click();
  await expect(page.getByRole('heading', { level: 1, name: 'All patches' })).toBeVisible();
  await expect(page.getByText(`${own} matching records`)).toBeVisible();
});

test('the month, All patches and a record have no barrier at 1440 and 390 px, light and dark', async ({
  page,
  service,
}) => {
  const filter = 'exploited = true';
  const { objList } = await service.search('/windows/kb/search', 'size=1&sort=-releaseDate', {
    filter,
  });
  await service.enter(page);
  for (const [path, ready] of [
    [may, page.getByRole('table').first()],
    ['/patch-repository/all-patches?size=10', page.locator('[data-row]').first()],
    [
      `/patch-repository/record/${String(objList[0]?.['id'])}`,
      page.getByRole('button', { name: 'Copy all CVEs' }),
    ],
  ] as const) {
    await page.goto(path);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const size of [wide, narrow]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        await ready.waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' });
        await settle(page);
        const violations = await allViolations(page);
        expect.soft(violations, `${path}, ${colorScheme}, ${size.width} px`).toEqual([]);
      }
  }
});

test('prints the month alone, dark on white, with versions that do not break', async ({
  page,
  service,
}) => {
  await service.enter(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(may);
  await untilComplete(page);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  // A4 between the margins. A narrower window would show cards.
  await page.evaluate("document.body.style.width = '182mm'");
  await expect(page.getByText(/^As of [\d-]+ [\d:]+ UTC\. All products\.$/)).toBeVisible();
  for (const part of ['navigation', 'banner', 'button', 'radio'] as const)
    await expect(page.getByRole(part)).toHaveCount(0);
  expect(await page.evaluate<string[]>(paleTexts)).toEqual([]);
  expect(await page.evaluate<string[]>(brokenVersions)).toEqual([]);
});

/** Runs in the page: texts that are hard to read on white, and parts with a dark ground. */
const paleTexts = `(() => {
  const luminance = (colour) => {
    const [red, green, blue, alpha = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const linear = [red, green, blue].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return alpha === 0 ? null : 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  return [...document.querySelectorAll('html, body, body *')]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
      return (hasText && 1.05 / (luminance(color) + 0.05) < 4.5) || (luminance(backgroundColor) ?? 1) < 0.9;
    })
    .map((element) => element.outerHTML.slice(0, 200));
})()`;

/** Runs in the page: builds and packages that take more than one line. */
const brokenVersions = `(() => {
  const range = document.createRange();
  return [...document.querySelectorAll('td[data-label="Build or package"][data-stated]')].flatMap(
    ({ firstChild }) =>
      [...firstChild.data.matchAll(/[^ ,]+/g)]
        .filter(({ 0: word, index }) => {
          range.setStart(firstChild, index);
          range.setEnd(firstChild, index + word.length);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
        })
        .map(([word]) => word),
  );
})()`;
