/** Maps the specification's operators to the words of the filter language. */
import { type FieldKind, operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import type { FilterTest } from './filter-conditions.ts';

export const wireOperators = {
  equal: '=',
  not_equal: '!=',
  contains: 'like',
  not_contains: 'not like',
  start_with: 'like',
  end_with: 'like',
  in: 'in',
  not_in: 'not in',
  less_than: '<',
  less_than_or_equal: '<=',
  greater_than: '>',
  greater_than_or_equal: '>=',
  between: 'between',
  is_null: 'is null',
  is_not_null: 'is not null',
} as const satisfies Record<Operator, string>;

/**
 * Maps case-insensitive variants (`equal_case_insensitive`) to the plain operator, because words are always compared without
 * case.
 */
export function plainOperator(name: string): string {
  return name.replace(/_case_insensitive$/, '');
}

export type WireOperator = (typeof wireOperators)[Operator];

/** Returns the operator of a test in the filter language. */
export function operatorOfTest(test: FilterTest): WireOperator {
  switch (test.kind) {
    case 'compared':
      return test.comparison;
    case 'oneOf':
      return test.negated ? 'not in' : 'in';
    case 'like':
      return test.negated ? 'not like' : 'like';
    case 'between':
      return 'between';
    case 'null':
      return test.negated ? 'is not null' : 'is null';
  }
}

export function canFilter(kind: FieldKind, operator: Operator): boolean {
  return (operatorsOfKind[kind] as readonly Operator[]).includes(operator);
}

/** Returns the operators of a kind in the filter language. */
export function wireOperatorsOfKind(kind: FieldKind): readonly WireOperator[] {
  return [...new Set(operatorsOfKind[kind].map((operator) => wireOperators[operator]))];
}

/** Returns whether values of the kind are words, which are compared folded and written in quotes. */
export function isOfWords(kind: FieldKind): boolean {
  return canFilter(kind, 'contains');
}
