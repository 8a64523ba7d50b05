import { getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { withSortedColumn } from './column-choice.ts';

describe('withSortedColumn', () => {
  const debian = getList('debian_patch');

  test.each(['releaseDate', '-releaseDate'])(
    'adds the column when rows are sorted by %s',
    (sort) => {
      expect(withSortedColumn(debian, ['title', 'bulletinId'], sort)).toEqual([
        'title',
        'bulletinId',
        'releaseDate',
      ]);
    },
  );

  test('adds it before the names for programs', () => {
    expect(withSortedColumn(getList('macos_patch'), ['title', 'productKey'], '-version')).toEqual([
      'title',
      'version',
      'productKey',
    ]);
  });

  test('adds nothing when the column is shown, or when the order has a name', () => {
    const all = getList('all_patches');
    expect(withSortedColumn(debian, debian.columns, 'title')).toEqual(debian.columns);
    expect(withSortedColumn(all, all.columns, 'patchFirst')).toEqual(all.columns);
  });
});
