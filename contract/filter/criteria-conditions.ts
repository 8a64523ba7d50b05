/** Builds the syntax tree of a filter from criteria. Only this file defines the meaning of the search bar's operators. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  getField,
  isFilterable,
  type ListDefinition,
  resolveField,
} from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { isRelativeTime, toDayInterval, toInterval, type When } from '../dates/relative-date.ts';
import { type Criterion, CriterionError, type FieldCriterion, isKeyword } from './criterion.ts';
import type { Comparison, Condition, FilterTest, Scalar } from './filter-conditions.ts';
import { canFilter, isOfWords, plainOperator, wireOperators } from './wire-operators.ts';

/**
 * Returns conditions in the order of the criteria, without the keyword. Relative times become instants at `when`. Throws
 * CriterionError.
 */
export function criteriaConditions(
  list: ListDefinition,
  criteria: readonly Criterion[],
  when: When,
): readonly Condition[] {
  return criteria.flatMap((criterion) =>
    isKeyword(criterion) ? [] : [toCondition(list, criterion, when)],
  );
}

function toCondition(list: ListDefinition, criterion: FieldCriterion, when: When): Condition {
  const operator = findOperator(criterion.operator);
  const name = resolveField(list, criterion.paramName);
  if (name === undefined || !isFilterable(list, name)) {
    throw new CriterionError(
      `Unknown field '${criterion.paramName}'. Searchable fields: ${list.searchable.join(', ')}`,
    );
  }
  const definition = getField(list, name);
  return { ...toTest(definition, operator, criterion, when), name, definition };
}

function findOperator(name: string): Operator {
  const plain = plainOperator(name);
  if (!Object.hasOwn(wireOperators, plain)) throw new CriterionError(`Operator ${name} not found`);
  return plain as Operator;
}

function toTest(
  field: Field<FieldKind, unknown>,
  operator: Operator,
  { value, toValue }: FieldCriterion,
  when: When,
): FilterTest {
  const { kind, label } = field;
  if (!canFilter(kind, operator))
    throw new CriterionError(`${label} does not support '${operator.replaceAll('_', ' ')}'`);
  if (operator === 'is_null' || operator === 'is_not_null')
    return { kind: 'null', negated: operator === 'is_not_null' };
  const values = (Array.isArray(value) ? value : [value]) as readonly Scalar[];
  if (values.some((one) => one === undefined || one === ''))
    throw new CriterionError(`${label} needs a value`);
  if (isOfWords(kind)) return wordsTest(operator, values, label);
  if (kind === 'date' && typeof value === 'string')
    return relativeTest(operator, value, field, when);
  if (kind === 'flag') {
    if (typeof value !== 'boolean') throw new CriterionError(`${label} is yes or no`);
    return valuesTest(operator, [value], label);
  }
  const parseNumber = kind === 'decimal' ? parseFiniteNumber : parseInteger;
  const numbers = values.map((one) => parseNumber(one, label));
  if (operator !== 'between') return valuesTest(operator, numbers, label);
  const low = single(numbers, label);
  const high = parseNumber(toValue, label);
  if (low > high) throw new CriterionError(`${label} must end after it begins`);
  return { kind: 'between', low, high };
}

function wordsTest(operator: Operator, values: readonly Scalar[], label: string): FilterTest {
  const words = values.map((value) => fold(String(value)));
  const pattern = patterns[operator];
  if (pattern === undefined) return valuesTest(operator, words, label);
  const literal = single(words, label).replace(/[\\%_]/g, '\\$&');
  return { kind: 'like', negated: operator === 'not_contains', pattern: pattern(literal) };
}

const patterns: Partial<Record<Operator, (literal: string) => string>> = {
  contains: (literal) => `%${literal}%`,
  not_contains: (literal) => `%${literal}%`,
  start_with: (literal) => `${literal}%`,
  end_with: (literal) => `%${literal}`,
};

const comparisons: Partial<Record<Operator, Comparison>> = {
  equal: '=',
  not_equal: '!=',
  less_than: '<',
  less_than_or_equal: '<=',
  greater_than: '>',
  greater_than_or_equal: '>=',
};

function valuesTest(operator: Operator, values: readonly Scalar[], label: string): FilterTest {
  const comparison = comparisons[operator];
  if (comparison !== undefined)
    return { kind: 'compared', comparison, value: single(values, label) };
  if (values.length === 0) throw new CriterionError(`${label} needs at least one value`);
  return { kind: 'oneOf', negated: operator === 'not_in', values };
}

function single<Value>(values: readonly Value[], label: string): Value {
  const [one, ...others] = values;
  if (one === undefined || others.length > 0) throw new CriterionError(`${label} needs one value`);
  return one;
}

function parseInteger(value: unknown, label: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new CriterionError(`${label} needs a whole number`);
  return value;
}

function parseFiniteNumber(value: unknown, label: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new CriterionError(`${label} needs a number`);
  return value;
}

/** A relative time is an interval: `equal` means within it, `less_than` before it, `greater_than_or_equal` from its beginning on. */
function relativeTest(
  operator: Operator,
  word: string,
  { label, precision }: Field<FieldKind, unknown>,
  when: When,
): FilterTest {
  if (!isRelativeTime(word))
    throw new CriterionError(`${label} needs a date or a time such as today, not '${word}'`);
  const { from, to } = (precision === 'day' ? toDayInterval : toInterval)(word, when);
  const compared = (comparison: Comparison, value: number): FilterTest => ({
    kind: 'compared',
    comparison,
    value,
  });
  if (operator === 'equal')
    return from === null ? compared('<=', to) : { kind: 'between', low: from, high: to };
  if (operator === 'greater_than') return compared('>', to);
  if (operator === 'less_than_or_equal') return compared('<=', to);
  if (from !== null && operator === 'less_than') return compared('<', from);
  if (from !== null && operator === 'greater_than_or_equal') return compared('>=', from);
  throw new CriterionError(`${label} does not support '${operator.replaceAll('_', ' ')} ${word}'`);
}
