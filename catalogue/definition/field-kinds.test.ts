import { expect, test } from 'vitest';
import { specified } from '../testing/specified.ts';
import { type FieldKind, operatorsOfKind } from './field-kinds.ts';
import { type Operator, operators } from './operators.ts';

const kinds = Object.keys(operatorsOfKind) as FieldKind[];
const listOperators = (kind: FieldKind): readonly Operator[] => operatorsOfKind[kind];

const { text, list, number, date, boolean } = specified.operatorsByType as Readonly<
  Record<string, readonly Operator[]>
>;
/** Specified operators; a kind may offer more. */
const specifiedOperators: Record<FieldKind, readonly Operator[] | undefined> = {
  text,
  prose: text,
  identifier: text,
  identifiers: text,
  tags: text,
  link: text,
  choice: list,
  number,
  decimal: number,
  size: number,
  date,
  flag: boolean,
};

test.each(kinds)('%s offers the specified operators, each once', (kind) => {
  expect(listOperators(kind)).toEqual(
    expect.arrayContaining([...(specifiedOperators[kind] ?? [])]),
  );
  expect(new Set(listOperators(kind)).size).toBe(listOperators(kind).length);
  // The default operator is a specified one.
  expect(specifiedOperators[kind] ?? []).toContain(listOperators(kind)[0]);
});

test('each operator is offered by some kind', () => {
  expect(
    operators.filter((operator) => !kinds.some((kind) => listOperators(kind).includes(operator))),
  ).toEqual([]);
});
