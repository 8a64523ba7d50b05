/** A rule that makes checkpoints and a ring that follows it, at both widths and in both looks. */
import { allViolations } from './accessibility.ts';
import { bothLooks, choose, expect, test } from './product.ts';

for (const [width, height, colorScheme] of bothLooks)
  test.describe(`at ${width} pixels, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('a rule is created and a ring follows it', async ({ page, service }, { retry }) => {
      const own = retry === 0 ? `${width}` : `${width}-${retry}`;
      const rule = `Patch day ${own}`;
      const ring = `Following ${own}`;
      await service.ask('POST', '/checkpoints', { name: `Before ${own}` });
      await service.enter(page);
      await page.goto('/patch-repository/rings');

      await page.getByRole('button', { name: 'New rule' }).click();
      const created = page.getByRole('dialog', { name: 'New rule' });
      await created.getByLabel('Name').fill(rule);
      expect(await allViolations(page)).toEqual([]);
      await created.getByRole('button', { name: 'Save rule' }).click();
      await expect(created).toBeHidden();
      const rules = page.getByRole('list', { name: 'Rules' });
      await expect(rules.getByRole('listitem').filter({ hasText: rule })).toContainText(
        'On the second Tuesday of each month at 20:00',
      );

      await page.getByRole('button', { name: 'New ring' }).click();
      const edited = page.getByRole('dialog', { name: 'New ring' });
      await edited.getByLabel('Name').fill(ring);
      const option = page.getByTitle(rule, { exact: true }).last();
      await choose(edited.getByLabel('Follows'), option, edited.getByLabel('After'));
      await expect(page.locator('.ant-select-dropdown').filter({ visible: true })).toHaveCount(0);
      await edited.getByLabel('After').fill('14');
      expect(await allViolations(page)).toEqual([]);
      await edited.getByRole('button', { name: 'Save ring' }).click();
      await expect(edited).toBeHidden();
      const row = page
        .getByRole('list', { name: 'Rings' })
        .getByRole('listitem')
        .filter({ hasText: ring });
      await expect(row).toContainText(`Follows ${rule}, after 14 days`);
      expect(await allViolations(page)).toEqual([]);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
    });
  });
