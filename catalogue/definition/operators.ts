/** Every comparison of a criterion, by its name in the specification. */
export const operators = [
  'equal',
  'not_equal',
  'contains',
  'not_contains',
  'start_with',
  'end_with',
  'in',
  'not_in',
  'less_than',
  'less_than_or_equal',
  'greater_than',
  'greater_than_or_equal',
  'between',
  'is_null',
  'is_not_null',
] as const;

export type Operator = (typeof operators)[number];
