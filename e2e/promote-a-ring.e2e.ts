/** A checkpoint, a ring on it, and its promotion after a look at the difference, in six clicks at both widths and in both looks. */
import type { Locator } from '@playwright/test';
import { allViolations } from './accessibility.ts';
import { bothLooks, expect, test } from './product.ts';

const most = 6;

for (const [width, height, colorScheme] of bothLooks)
  test.describe(`at ${width} pixels, ${colorScheme}`, () => {
    test.use({ viewport: { width, height }, colorScheme });

    test('a ring is created on a checkpoint and promoted to the next', async ({
      page,
      service,
    }) => {
      let count = 0;
      const click = async (what: Locator) => {
        await what.click();
        count += 1;
        expect(count).toBeLessThanOrEqual(most);
      };
      const first = `First ${width}`;
      const ring = `Ring ${width}`;
      await service.enter(page);
      await page.goto('/patch-repository/rings');

      await click(page.getByRole('button', { name: 'New checkpoint' }));
      const created = page.getByRole('dialog', { name: 'New checkpoint' });
      await created.getByLabel('Name').fill(first);
      await click(created.getByRole('button', { name: 'Create checkpoint' }));
      await expect(created).toBeHidden();

      await click(page.getByRole('button', { name: 'New ring' }));
      const edited = page.getByRole('dialog', { name: 'New ring' });
      await edited.getByLabel('Name').fill(ring);
      await click(edited.getByRole('button', { name: 'Save ring' }));
      await expect(edited).toBeHidden();
      const row = page
        .getByRole('list', { name: 'Rings' })
        .getByRole('listitem')
        .filter({ hasText: ring });
      await expect(row).toContainText(`On ${first}, 0 clients`);

      await service.ask('POST', '/checkpoints', { name: `Second ${width}` });
      await page.reload();
      await click(row.getByRole('button', { name: `Promote the ring ${ring}` }));
      const promoted = page.getByRole('dialog', { name: `Promote ${ring}` });
      await expect(promoted.getByText('No record differs.')).toBeVisible();
      expect(await allViolations(page)).toEqual([]);
      await click(promoted.getByRole('button', { name: 'Promote' }));
      await expect(promoted).toBeHidden();
      await expect(row).toContainText(`On Second ${width}`);
      expect(await allViolations(page)).toEqual([]);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
    });
  });
