import { expect, test } from 'vitest';
import { specified } from '../testing/specified.ts';
import { type FieldKind, operatorsOfKind } from './field-kinds.ts';
import { type Operator, operators } from './operators.ts';

const kinds = Object.keys(operatorsOfKind) as FieldKind[];
const askedOf = (kind: FieldKind): readonly Operator[] => operatorsOfKind[kind];

const { text, list, number, date, boolean } = specified.operatorsByType as Readonly<
  Record<string, readonly Operator[]>
>;
/** More is offered where it can be answered. */
const specifiedOf: Record<FieldKind, readonly Operator[] | undefined> = {
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

test.each(kinds)('%s is asked what the specification says, each once', (kind) => {
  expect(askedOf(kind)).toEqual(expect.arrayContaining([...(specifiedOf[kind] ?? [])]));
  expect(new Set(askedOf(kind)).size).toBe(askedOf(kind).length);
  // The default operator is one that the specification knows.
  expect(specifiedOf[kind] ?? []).toContain(askedOf(kind)[0]);
});

test('every operator can be asked of some kind', () => {
  expect(
    operators.filter((operator) => !kinds.some((kind) => askedOf(kind).includes(operator))),
  ).toEqual([]);
});
