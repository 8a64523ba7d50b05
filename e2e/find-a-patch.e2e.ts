/** An administrator finds the critical errata of three years, opens one, shares the address, and syncs again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './product.ts';
import { administrator, mirror } from './running-product.ts';
import { signIn } from './sign-in.ts';

/** Counted in the vendor's documents, not by our reader. Istanbul is three hours ahead of UTC all year. */
async function criticalErrata(from: number, to: number): Promise<number> {
  const ahead = 3 * 3_600_000;
  const documents = await Promise.all(
    ['8', '9'].map(async (release) => {
      const file = join(mirror, 'errata.almalinux.org', release, 'errata.full.json');
      return (
        JSON.parse(await readFile(file, 'utf8')) as {
          data: { severity: string; issued_date: number }[];
        }
      ).data;
    }),
  );
  const issued = documents.flat().filter(({ severity }) => severity === 'Critical');
  return issued.filter(
    ({ issued_date }) => issued_date * 1000 >= from - ahead && issued_date * 1000 < to - ahead,
  ).length;
}

test('AlmaLinux is found by severity and date, opened and shared', async ({
  page,
  browser,
  service,
}) => {
  await service.enter(page);
  await page.goto('/patch-repository/almalinux-patch');
  // Severity from its picker, the dates typed: both become chips.
  const search = page.getByRole('combobox', { name: 'Search AlmaLinux patches' });
  await page.getByRole('button', { name: 'Add criterion' }).click();
  await page.getByRole('option', { name: /Severity/ }).click();
  const picker = page.getByRole('dialog', { name: 'Add criterion: Severity' });
  await picker.getByLabel('Critical').click();
  await picker.getByRole('button', { name: 'Done' }).click();
  await search.fill('releaseDate:2022-01-01..2024-12-31');
  await search.press('Enter');
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'ALSA-' });
  const expected = await criticalErrata(Date.UTC(2022, 0, 1), Date.UTC(2025, 0, 1));
  const total = `${expected} matching records`;
  expect(expected).toBeGreaterThan(1);
  await expect(page.getByText(total)).toBeVisible();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
  for (const row of await rows.all()) {
    await expect(row).toContainText('Critical');
    await expect(row).toContainText(/202[234]/);
  }

  const bulletin = await rows.first().getByRole('link').first().textContent();
  await rows.first().click();
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText(bulletin ?? 'no bulletin');
  await expect(drawer.getByText('Packages').first()).toBeVisible();

  // Another user opens the same address and sees the same list and record.
  const otherPage = await browser.newPage();
  await otherPage.goto(page.url());
  await signIn(otherPage, administrator);
  await expect(otherPage.getByRole('dialog')).toContainText(bulletin ?? 'no bulletin');
  await expect(otherPage.getByText(total).first()).toBeVisible();
  const seen = await otherPage
    .getByRole('grid')
    .getByRole('row')
    .filter({ hasText: 'ALSA-' })
    .allTextContents();
  expect(seen.map((text) => /ALSA-\d+:\d+/.exec(text)?.[0])).toEqual(
    (await rows.allTextContents()).map((text) => /ALSA-\d+:\d+/.exec(text)?.[0]),
  );
  await otherPage.close();
});

test('a second sync asks by condition and says as success that nothing is new', async ({
  page,
  service,
}) => {
  await service.enter(page);
  await page.goto('/patch-repository/sync');
  await page.getByRole('button', { name: /^Sync AlmaLinux/ }).click();
  const source = page.getByRole('listitem', { name: 'AlmaLinux', exact: true });
  await expect(source.getByText('Nothing new', { exact: true })).toBeVisible({ timeout: 60_000 });
});
