/** Labels of the operators in the search bar, with separate ones for dates: 'after' instead of 'more than'. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';

const defaultLabels: Record<Operator, string> = {
  equal: 'is',
  not_equal: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  start_with: 'starts with',
  end_with: 'ends with',
  in: 'is one of',
  not_in: 'is none of',
  less_than: 'less than',
  less_than_or_equal: 'at most',
  greater_than: 'more than',
  greater_than_or_equal: 'at least',
  between: 'between',
  is_null: 'is empty',
  is_not_null: 'is not empty',
};

const dateLabels: Partial<Record<Operator, string>> = {
  greater_than: 'after',
  greater_than_or_equal: 'from',
  less_than: 'before',
  less_than_or_equal: 'up to',
};

export function operatorLabel(kind: FieldKind, operator: Operator): string {
  return (kind === 'date' ? dateLabels[operator] : undefined) ?? defaultLabels[operator];
}
