/** Checks parsed conditions against a list: its searchable fields, their operators, and the types of their values. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  getField,
  isFilterable,
  type ListDefinition,
  resolveField,
} from '@patch/catalogue/definition/list-definition.ts';
import {
  type Condition,
  FilterError,
  type FilterTest,
  type ParsedCondition,
  type Scalar,
} from './filter-conditions.ts';
import { shortened } from './filter-tokens.ts';
import { isOfWords, operatorOfTest, wireOperatorsOfKind } from './wire-operators.ts';

/** Throws FilterError. */
export function checkFilter(
  list: ListDefinition,
  conditions: readonly ParsedCondition[],
): readonly Condition[] {
  return conditions.map((condition) => check(list, condition));
}

function check(list: ListDefinition, condition: ParsedCondition): Condition {
  const { field: fieldName, at, operatorAt } = condition;
  const name = resolveField(list, fieldName);
  if (name === undefined || !isFilterable(list, name)) {
    const names = list.searchable.map((searchable) => list.filterName[searchable] ?? searchable);
    throw new FilterError(
      'unknown_field',
      `Unknown field '${shortened(fieldName)}' at ${at}. Searchable fields: ${names.join(', ')}`,
      at,
    );
  }
  const definition = getField(list, name);
  const { kind } = definition;
  const operators = wireOperatorsOfKind(kind);
  const operator = operatorOfTest(condition);
  if (!operators.includes(operator)) {
    const message = `${fieldName} does not support '${operator}' at ${operatorAt}. Its operators: ${operators.join(', ')}`;
    throw new FilterError('unknown_operator', message, operatorAt);
  }
  if (condition.lowered && !isOfWords(kind)) {
    throw new FilterError(
      'wrong_type',
      `lower() is for words; ${fieldName} at ${at} holds ${getType(kind).plural}.`,
      at,
    );
  }
  for (const [index, value] of valuesOfTest(condition).entries()) {
    const type = getType(kind);
    const valueAt = condition.valuesAt[index] ?? operatorAt;
    if (!type.holds(value))
      throw new FilterError('wrong_type', `${fieldName} needs ${type.one} at ${valueAt}.`, valueAt);
  }
  if (condition.kind === 'between' && condition.low > condition.high) {
    const message = `The range of ${fieldName} at ${operatorAt} is empty: ${condition.low} is above ${condition.high}.`;
    throw new FilterError('empty_range', message, operatorAt);
  }
  return { ...normalizedTest(condition), name, definition };
}

/** Returns the values in the order of the filter text. */
export function valuesOfTest(condition: FilterTest): readonly Scalar[] {
  switch (condition.kind) {
    case 'compared':
      return [condition.value];
    case 'oneOf':
      return condition.values;
    case 'like':
      return [condition.pattern];
    case 'between':
      return [condition.low, condition.high];
    case 'null':
      return [];
  }
}

const foldedValue = (value: Scalar) => (typeof value === 'string' ? fold(value) : value);

function normalizedTest(test: FilterTest): FilterTest {
  switch (test.kind) {
    case 'compared':
      return { kind: 'compared', comparison: test.comparison, value: foldedValue(test.value) };
    case 'oneOf':
      return { kind: 'oneOf', negated: test.negated, values: test.values.map(foldedValue) };
    case 'like':
      return { kind: 'like', negated: test.negated, pattern: fold(test.pattern) };
    case 'between':
      return { kind: 'between', low: test.low, high: test.high };
    case 'null':
      return { kind: 'null', negated: test.negated };
  }
}

const isNumber = (value: Scalar) => Number.isFinite(value);
const isInteger = (value: Scalar) => Number.isSafeInteger(value);

/** The values that a kind of field has on the wire. */
const wireTypes = {
  words: {
    one: 'words in quotes',
    plural: 'words',
    holds: (value: Scalar) => typeof value === 'string',
  },
  integers: { one: 'a whole number', plural: 'numbers', holds: isInteger },
  decimals: { one: 'a number', plural: 'numbers', holds: isNumber },
  dates: { one: 'epoch milliseconds, a whole number', plural: 'dates', holds: isInteger },
  flags: {
    one: 'true or false',
    plural: 'true or false',
    holds: (value: Scalar) => typeof value === 'boolean',
  },
} as const;

function getType(kind: FieldKind) {
  if (kind === 'date') return wireTypes.dates;
  if (kind === 'flag') return wireTypes.flags;
  if (kind === 'decimal') return wireTypes.decimals;
  return isOfWords(kind) ? wireTypes.words : wireTypes.integers;
}
