/** Every list of the specification at its address, with its heading, its search bar and the specification's columns. */
import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { expect, test } from './product.ts';

test('every list opens at its address', async ({ page, service }) => {
  await service.enter(page);
  for (const list of catalogueLists) {
    await page.goto(`/patch-repository${list.route === '' ? '' : `/${list.route}`}`);
    await expect(
      page.getByRole('heading', { level: 1, name: list.label, exact: true }),
    ).toBeVisible();
    await expect(
      page.getByRole('combobox', { name: `Search ${list.label}`, exact: true }),
    ).toBeVisible();
    const { totalCount } = await service.search(list.searchPath, 'size=1');
    if (totalCount === 0)
      await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
    else
      await expect(
        page.getByRole('grid', { name: list.label, exact: true }).getByRole('columnheader'),
      ).toHaveText(['', ...list.columns.map((name) => fieldOf(list, name).label)]);
  }
});
