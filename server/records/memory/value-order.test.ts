/** Compares the order of a column with a plain sort of its rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowSet } from './row-set.ts';
import { ValueOrder } from './value-order.ts';

/** Few numbers, so that rows tie, and numbers whose first 32 bits are equal. */
const numbers = [
  Number.NaN,
  0,
  -0,
  1,
  -1,
  -1.5,
  1_735_689_600_001,
  1_735_689_600_000,
  -1_735_689_600_001,
  -1_735_689_600_000,
  5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
];
const number = fc.constantFrom(...numbers);
const rowCount = 120;

interface Row {
  readonly position: number;
  readonly value: number;
}

const compare = (a: Row, b: Row) => {
  if (Number.isNaN(a.value)) return Number.isNaN(b.value) ? a.position - b.position : 1;
  return Number.isNaN(b.value) ? -1 : a.value - b.value || a.position - b.position;
};

test('orders rows as a plain sort does, after each of several changes', () => {
  fc.assert(
    fc.property(
      fc.array(number, { minLength: rowCount, maxLength: rowCount }),
      fc.array(fc.array(fc.tuple(fc.nat(rowCount - 1), number), { minLength: 1 }), {
        maxLength: 4,
      }),
      fc.record({
        descending: fc.boolean(),
        offset: fc.nat(rowCount),
        size: fc.integer({ min: 1, max: rowCount }),
      }),
      fc.tuple(number, number).filter((bounds) => !bounds.some((bound) => Number.isNaN(bound))),
      (first, changes, page, range) => {
        const values = Float64Array.from(first);
        const order = new ValueOrder();
        for (const position of first.keys()) order.change(position);
        const even = RowSet.fromPositions(
          Uint32Array.from({ length: rowCount / 2 }, (_, at) => 2 * at),
          rowCount,
        );
        for (const change of [[], ...changes]) {
          for (const [position, value] of change) {
            values[position] = value;
            order.change(position);
          }
          const rows = Array.from(values, (value, position) => ({ value, position }));
          const inRange = rows
            .filter(({ value }) => value >= range[0] && value <= range[1])
            .toSorted(compare);
          expect([...order.range(values, range)]).toEqual(inRange.map(({ position }) => position));
          const valued = rows.filter(({ value }) => !Number.isNaN(value)).toSorted(compare);
          const others = rows.filter(({ value }) => Number.isNaN(value));
          const all = page.descending
            ? [...valued.toReversed(), ...others.toReversed()]
            : [...valued, ...others];
          const expected = all
            .map(({ position }) => position)
            .filter((position) => position % 2 === 0);
          const everywhere = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
          expect(order.page(values, even, { ...page, range: everywhere })).toEqual(
            expected.slice(page.offset, page.offset + page.size),
          );
        }
      },
    ),
  );
});

test('sorts a changed row into more rows than are merged, and finds no page behind too many other rows', () => {
  const rows = 200_000;
  const values = Float64Array.from({ length: rows }, (_, position) => (position * 7_919) % rows);
  const order = new ValueOrder();
  for (const position of values.keys()) order.change(position);
  expect(order.range(values, [0, 0])).toEqual(Uint32Array.of(0));
  values[5] = -1;
  order.change(5);
  expect(order.range(values, [-1, 0])).toEqual(Uint32Array.of(5, 0));
  const lowest = RowSet.fromPositions(Uint32Array.of(0, 5), rows);
  const page = {
    offset: 0,
    size: 1,
    range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  } as const;
  expect(order.page(values, lowest, { ...page, descending: false })).toEqual([5]);
  expect(order.page(values, lowest, { ...page, descending: true })).toBeNull();
  expect(order.page(values, lowest, { ...page, descending: true, range: [-1, 10] })).toEqual([0]);
});

test('sorts more rows than are merged as a plain sort does', () => {
  const values = Float64Array.from(
    { length: 20_000 },
    (_, at) => numbers[(at * at) % numbers.length] ?? 0,
  );
  const order = new ValueOrder();
  for (const position of values.keys()) order.change(position);
  const expected = Array.from(values, (value, position) => ({ value, position }))
    .filter(({ value }) => !Number.isNaN(value))
    .toSorted(compare);
  expect([...order.range(values, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])]).toEqual(
    expected.map(({ position }) => position),
  );
});

test('orders whole numbers up to 32 bits', () => {
  const values = Uint32Array.from({ length: 20_000 }, (_, position) =>
    Math.imul(position, 0x9e37_79b1),
  );
  const order = new ValueOrder();
  for (const position of values.keys()) order.change(position);
  const highest = values[17] ?? 0;
  expect(order.range(values, [highest, highest])).toEqual(Uint32Array.of(17));
  expect(order.range(values, [0, 0xffff_ffff]).length).toBe(20_000);
});
