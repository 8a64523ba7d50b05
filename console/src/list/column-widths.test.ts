import { catalogueLists, listOfKey } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { columnWidths } from './column-widths.ts';

const sum = (widths: readonly number[]) =>
  Math.round(widths.reduce((total, width) => total + width, 0));

test.each(catalogueLists.map((list) => [list.key, list] as const))(
  '%s fills any screen, and no column is narrower than the least',
  (_, list) => {
    for (const available of [0, 800, 1222, 1900, 3000]) {
      const widths = columnWidths(list, list.columns, {}, available);
      expect(Math.min(...widths)).toBeGreaterThanOrEqual(specified.columnMinWidth);
      const least = sum(columnWidths(list, list.columns, {}, 0));
      expect(sum(widths)).toBe(Math.max(available, least));
    }
  },
);

test('words take what is left over, a dragged column keeps its width', () => {
  const list = listOfKey('macos_patch');
  const before = columnWidths(list, list.columns, {}, 2000);
  const after = columnWidths(list, list.columns, { productKey: 400 }, 2000);
  expect(after[0]).toBe(400);
  expect(before[2]).toBe(after[2]);
  expect(sum(after)).toBe(2000);
});

test('names whose letters are counted have room for all of them', () => {
  const list = listOfKey('floto_user');
  const place = list.columns.indexOf('activationCode');
  for (const available of [0, 1222, 3000])
    expect(columnWidths(list, list.columns, {}, available)[place]).toBeGreaterThan(29 * 7.8);
});
