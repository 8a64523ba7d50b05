/** Every list of the specification at its address, with its heading, its search bar and the specification's columns. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { Inspection } from './inspection.ts';
import { expect, test } from './product.ts';
import { screenOfList } from './screens.ts';

/** The column of the order that the list opens with is always there. UUIDs and the like come last. */
function columnsForPeople(list: CatalogueList) {
  const { opens, defaultSort }: ListDefinition = list;
  const sort = opens?.sort ?? defaultSort;
  const sorted = Object.hasOwn(list.compoundSorts, sort) ? [] : [sort.replace(/^-/, '')];
  const fields = [...new Set([...list.columns, ...sorted])].map((name) => getField(list, name));
  const isTechnical = (field: (typeof fields)[number]) => field.technical === true;
  return [...fields.filter((field) => !isTechnical(field)), ...fields.filter(isTechnical)];
}

test('every list opens at its address', async ({ page, service }) => {
  test.setTimeout(600_000);
  await service.enter(page);
  const inspection = await Inspection.of(page);
  let hasInspectedEmpty = false;
  for (const list of catalogueLists)
    await test.step(list.label, async () => {
      const screen = screenOfList(list);
      const count = async () => (await service.search(list.searchPath, 'size=1')).totalCount;
      // Another walk may add rows meanwhile.
      const countBefore = await count();
      // Few rows show all that many rows can.
      await inspection.open({ ...screen, path: `${screen.path}?size=10` });
      await expect(
        page.getByRole('combobox', { name: `Search ${list.label}`, exact: true }),
      ).toBeVisible();
      const empty = page.getByRole('heading', { name: 'Nothing here yet' });
      const grid = page.getByRole('grid', { name: list.label, exact: true });
      await expect(grid.or(empty)).toBeVisible();
      const isEmpty = await empty.isVisible();
      if (isEmpty) expect(countBefore).toBe(0);
      else {
        expect(await count()).toBeGreaterThan(0);
        await expect(grid.getByRole('columnheader')).toHaveText([
          '',
          ...columnsForPeople(list).map(({ label }) => label),
        ]);
      }
      // Empty lists differ by their names only.
      if (!isEmpty || !hasInspectedEmpty) await inspection.inspectOpened(screen);
      hasInspectedEmpty ||= isEmpty;
    });
});
