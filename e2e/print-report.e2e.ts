/** The report of a group, from the first page to the printer: at most six clicks, at both widths and in both looks. */
import type { Locator } from '@playwright/test';
import { allViolations } from './accessibility.ts';
import { countRows, readCountedLinks } from './counted-links.ts';
import { bothLooks, expect, test } from './product.ts';

const most = 6;
const group = 'Printed';

for (const [width, height, colorScheme] of bothLooks)
  test.describe(`at ${width} pixels, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('prints the report of a group and a period', async ({ page, service }) => {
      const groups = await service.ask<{ objList: { name: string }[] }>('GET', '/machines/groups');
      if (!groups.objList.some(({ name }) => name === group))
        await service.ask('POST', '/machines/groups', { name: group, criteria: '' });
      let clicks = 0;
      const click = async (what: Locator) => {
        clicks += 1;
        await what.click();
      };
      await service.enter(page);
      await page.goto('/patch-repository/groups');
      if (width === 390) await click(page.getByRole('button', { name: 'Expand the menu' }));
      await click(page.getByRole('link', { name: 'Report', exact: true }));
      // A choice in a list takes two clicks: one opens it.
      clicks += 2;
      await page.getByRole('combobox', { name: 'Group' }).selectOption(group);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Report of ${group}`);
      await page.getByRole('heading', { name: 'Exposure now' }).waitFor();
      expect(await allViolations(page)).toEqual([]);
      // Machines of other walks are judged meanwhile.
      await expect(async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Exposure now' }).waitFor();
        const links = await readCountedLinks(page);
        expect(links.length).toBe(11);
        for (const { label, href, count } of links)
          expect(await countRows(service, href, 'UTC'), label).toBe(count);
      }).toPass();
      // Chromium without a window has no printer to ask.
      await page.evaluate(
        "globalThis.print = () => document.body.setAttribute('data-printed', '')",
      );
      await click(page.getByRole('button', { name: 'Print' }));
      await expect(page.locator('body[data-printed]')).toBeAttached();
      expect(clicks).toBeLessThanOrEqual(most);

      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
      await expect(page.getByRole('combobox', { name: 'Group' })).toBeHidden();
      await expect(page.getByRole('navigation').first()).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Days to patch' })).toBeVisible();
      const paper = await page.pdf({ format: 'A4', preferCSSPageSize: true });
      expect(paper.length).toBeGreaterThan(5000);
    });
  });
