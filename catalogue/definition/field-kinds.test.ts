import { expect, test } from 'vitest';
import { type FieldKind, operatorsOfKind } from './field-kinds.ts';
import { type Operator, operators } from './operators.ts';

const kinds = Object.keys(operatorsOfKind) as FieldKind[];
const askedOf = (kind: FieldKind): readonly Operator[] => operatorsOfKind[kind];

/** Section 7 of the specification; more is offered where it can be answered. */
const specified: Record<FieldKind, readonly Operator[]> = {
  text: ['equal', 'not_equal', 'start_with', 'end_with', 'contains'],
  prose: ['equal', 'not_equal', 'start_with', 'end_with', 'contains'],
  identifier: ['equal', 'not_equal', 'start_with', 'end_with', 'contains'],
  identifiers: ['equal', 'not_equal', 'start_with', 'end_with', 'contains'],
  tags: ['equal', 'not_equal', 'start_with', 'end_with', 'contains'],
  link: ['equal', 'not_equal', 'start_with', 'end_with', 'contains'],
  choice: ['in', 'not_in'],
  number: ['equal', 'not_equal'],
  size: ['equal', 'not_equal'],
  date: ['greater_than', 'less_than'],
  flag: ['equal', 'not_equal'],
};

test.each(kinds)('%s is asked what the specification says, each once', (kind) => {
  expect(askedOf(kind)).toEqual(expect.arrayContaining([...specified[kind]]));
  expect(new Set(askedOf(kind)).size).toBe(askedOf(kind).length);
  // The default operator is one that the specification knows.
  expect(specified[kind]).toContain(askedOf(kind)[0]);
});

test('every operator can be asked of some kind', () => {
  expect(operators.filter((operator) => !kinds.some((kind) => askedOf(kind).includes(operator)))).toEqual([]);
});
