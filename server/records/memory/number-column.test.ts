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
/** More rows than a word of the set has bits. */
const rows = Array.from({ length: 100 }, (_, row) => values[row % values.length] ?? null);
const column = new NumberColumn();
for (const [row, value] of rows.entries()) column.set(row, value);

const compare: Readonly<Record<string, (value: number, asked: number) => boolean>> = {
  '=': (value, asked) => value === asked,
  '<': (value, asked) => value < asked,
  '<=': (value, asked) => value <= asked,
  '>': (value, asked) => value > asked,
  '>=': (value, asked) => value >= asked,
};

const isListed = (row: number) => row % 7 !== 3;
const listed = () =>
  RowSet.of(
    Uint8Array.from(rows, (_, row) => (isListed(row) ? 1 : 0)),
    rows.length,
  );
const positionsWhere = (meets: (value: number | null) => boolean) =>
  rows.flatMap((value, row) => (isListed(row) && meets(value) ? [row] : []));
function kept(condition: object): readonly number[] {
  const set = listed();
  column.keep({ name: 'releaseDate', ...condition } as Condition, set);
  return [...set.positions()];
}

const asked = [...new Set([...values.filter((value) => value !== null), -2, 0.5, 2, 1e300])];

test.each(Object.keys(compare))(
  '%s keeps the rows whose number meets it, and none without one',
  (comparison) => {
    for (const value of asked)
      expect(kept({ kind: 'compared', comparison, value }), `${comparison} ${value}`).toEqual(
        positionsWhere((one) => one !== null && compare[comparison]?.(one, value) === true),
      );
  },
);

test('a range, one of several, and no value', () => {
  expect(kept({ kind: 'between', low: -1, high: 1 })).toEqual(
    positionsWhere((one) => one !== null && one >= -1 && one <= 1),
  );
  expect(kept({ kind: 'oneOf', values: [1, 0.1], negated: false })).toEqual(
    positionsWhere((one) => one === 1 || one === 0.1),
  );
  expect(kept({ kind: 'null', negated: false })).toEqual(positionsWhere((one) => one === null));
  expect(kept({ kind: 'null', negated: true })).toEqual(positionsWhere((one) => one !== null));
});

test('what does not meet one of several, or a value, is kept also without a value', () => {
  expect(kept({ kind: 'oneOf', values: [1], negated: true })).toEqual(
    positionsWhere((one) => one !== 1),
  );
  expect(kept({ kind: 'compared', comparison: '!=', value: 1 })).toEqual(
    positionsWhere((one) => one !== 1),
  );
});
