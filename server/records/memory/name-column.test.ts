import { expect, test } from 'vitest';
import { NameColumn } from './name-column.ts';

const fill = (names: readonly (string | null)[]): NameColumn => {
  const column = new NameColumn();
  for (const [position, name] of names.entries()) column.set(position, name);
  return column;
};
const find = (column: NameColumn, name: string, rows: number) => [
  ...column.find([name], rows).positions(),
];

test('finds the rows of a name among many, and only below the last row', () => {
  const names = Array.from({ length: 20_000 }, (_, n) =>
    n % 5_000 === 7 ? 'kb5034441' : `kb${n}`,
  );
  const column = fill(names);
  expect(find(column, 'kb5034441', names.length)).toEqual([7, 5_007, 10_007, 15_007]);
  expect(find(column, 'kb5034441', 10_007)).toEqual([7, 5_007]);
  expect(find(column, 'kb503444', names.length)).toEqual([]);
  expect([...column.find(['kb9', 'kb8', 'kb9', 'kb20000'], names.length).positions()]).toEqual([
    8, 9,
  ]);
});

test('finds no row without a name, and rows by their last name in their last order', () => {
  const column = fill(['a', null, 'b', '']);
  column.set(0, 'c');
  column.reorder(Uint32Array.from([2, 0, 1, 3]));
  expect(['a', 'b', 'c', ''].map((name) => find(column, name, 4))).toEqual([[], [0], [1], [3]]);
});
