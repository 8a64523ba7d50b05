/** An erratum is declined for a ring, and the decision is taken back, at both widths and in both looks. */
import { allViolations } from './accessibility.ts';
import { bothLooks, choose, expect, test } from './product.ts';

interface Erratum {
  readonly bulletinId: string;
}

for (const [width, height, colorScheme] of bothLooks)
  test.describe(`at ${width} pixels, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('an erratum is declined for a ring and given again', async ({ page, service }, {
      retry,
    }) => {
      const own = `${width}-${retry}`;
      const ring = `Deciding ${own}`;
      const found = await service.ask<{ readonly objList: readonly Erratum[] }>(
        'POST',
        '/linux/almalinux/search?size=1',
        {},
      );
      const name = found.objList[0]?.bulletinId ?? '';
      const checkpoint = await service.ask<{ readonly id: number }>('POST', '/checkpoints', {
        name: `Decided ${own}`,
      });
      await service.ask('POST', '/rings', {
        name: ring,
        checkpoint: checkpoint.id,
        passesExploited: true,
      });
      await service.enter(page);
      await page.goto('/patch-repository/rings');
      const row = page
        .getByRole('list', { name: 'Rings' })
        .getByRole('listitem')
        .filter({ hasText: ring });
      await expect(row).toContainText('Known exploited CVEs pass');

      await row.getByRole('button', { name: `Decisions for the ring ${ring}` }).click();
      const dialog = page.getByRole('dialog', { name: `Approved and declined for ${ring}` });
      for (const [field, title] of [
        ['Decision', 'Declined'],
        ['List', 'AlmaLinux patches'],
      ] as const) {
        const option = page.locator('.ant-select-dropdown').getByTitle(title, { exact: true });
        await choose(dialog.getByLabel(field), option, dialog.getByTitle(title, { exact: true }));
      }
      await dialog.getByLabel('KB, advisory or other name').fill(name);
      await dialog.getByLabel('Reason').fill('Breaks the boot of the first machines');
      await expect(page.locator('.ant-select-dropdown').filter({ visible: true })).toHaveCount(0);
      expect(await allViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save decision' }).click();
      const decisions = dialog.getByRole('list', { name: 'Decisions' });
      await expect(decisions.getByRole('listitem')).toContainText(`${name} Declined`);
      expect(await allViolations(page)).toEqual([]);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);

      await decisions.getByRole('button', { name: /^Take back/ }).click();
      await page.getByRole('button', { name: 'Take back', exact: true }).click();
      await expect(dialog.getByText(/^Nothing is approved or declined/)).toBeVisible();
    });
  });
