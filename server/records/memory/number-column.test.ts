import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { expect, test } from 'vitest';
import { NumberColumn } from './number-column.ts';
import { RowSet } from './row-set.ts';

const values = [
  null,
  -1.5,
  -1,
  0,
  5e-324,
  0.1,
  1,
  1.5,
  1_735_689_600_000,
  Number.MAX_VALUE,
  null,
  1,
];
/** More rows than a word of `RowSet` has bits. */
const rows = Array.from({ length: 100 }, (_, row) => values[row % values.length] ?? null);
const column = new NumberColumn();
for (const [row, value] of rows.entries()) column.set(row, value);

const compare: Readonly<Record<string, (value: number, operand: number) => boolean>> = {
  '=': (value, operand) => value === operand,
  '<': (value, operand) => value < operand,
  '<=': (value, operand) => value <= operand,
  '>': (value, operand) => value > operand,
  '>=': (value, operand) => value >= operand,
};

const isListed = (row: number) => row % 7 !== 3;
const listed = () =>
  RowSet.fromBytes(
    Uint8Array.from(rows, (_, row) => (isListed(row) ? 1 : 0)),
    rows.length,
  );
const positionsWhere = (meets: (value: number | null) => boolean) =>
  rows.flatMap((value, row) => (isListed(row) && meets(value) ? [row] : []));
function findPositions(condition: object): readonly number[] {
  const set = listed();
  column.filter({ name: 'releaseDate', ...condition } as Condition, set);
  return [...set.positions()];
}

const operands = [...new Set([...values.filter((value) => value !== null), -2, 0.5, 2, 1e300])];

test.each(Object.keys(compare))(
  'keeps the rows that match %s, and none without a value',
  (comparison) => {
    for (const value of operands)
      expect(
        findPositions({ kind: 'compared', comparison, value }),
        `${comparison} ${value}`,
      ).toEqual(
        positionsWhere((each) => each !== null && compare[comparison]?.(each, value) === true),
      );
  },
);

test('evaluates ranges, sets and null', () => {
  expect(findPositions({ kind: 'between', low: -1, high: 1 })).toEqual(
    positionsWhere((value) => value !== null && value >= -1 && value <= 1),
  );
  expect(findPositions({ kind: 'oneOf', values: [1, 0.1], negated: false })).toEqual(
    positionsWhere((value) => value === 1 || value === 0.1),
  );
  expect(findPositions({ kind: 'null', negated: false })).toEqual(
    positionsWhere((value) => value === null),
  );
  expect(findPositions({ kind: 'null', negated: true })).toEqual(
    positionsWhere((value) => value !== null),
  );
});

test('keeps rows without a value for negated conditions', () => {
  expect(findPositions({ kind: 'oneOf', values: [1], negated: true })).toEqual(
    positionsWhere((value) => value !== 1),
  );
  expect(findPositions({ kind: 'compared', comparison: '!=', value: 1 })).toEqual(
    positionsWhere((value) => value !== 1),
  );
});

test('keeps the order of its values when rows move', () => {
  const ordered = new NumberColumn(true);
  for (const [position, value] of [30, 10, null, 20].entries()) ordered.set(position, value);
  const readPage = (count: number) =>
    ordered.page(RowSet.fromBytes(new Uint8Array(count).fill(1), count), {
      descending: false,
      offset: 0,
      size: count,
      range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    });
  expect(readPage(4)).toEqual([1, 3, 0, 2]);
  // A row that was committed late precedes the others.
  ordered.set(4, 25);
  ordered.reorder(Uint32Array.from([4, 0, 1, 2, 3]));
  expect(readPage(5)).toEqual([2, 4, 0, 1, 3]);
});
