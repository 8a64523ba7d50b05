/** Writes the filter of a search call from criteria; the only place where the filter language is written. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  fieldAsked,
  fieldOf,
  isFilterable,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { intervalOf, isRelativeTime, type When } from '../dates/relative-date.ts';
import { type Criterion, CriterionError, type FieldCriterion, isKeyword } from './criterion.ts';
import { canFilter, isOfWords, plainOperator, wireOperators } from './wire-operators.ts';

/** Joined by `and`; empty when nothing but a keyword is asked. Throws CriterionError. */
export function filterText(
  list: ListDefinition,
  criteria: readonly Criterion[],
  when: When,
): string {
  return criteria
    .flatMap((criterion) => (isKeyword(criterion) ? [] : [condition(list, criterion, when)]))
    .join(' and ');
}

function condition(list: ListDefinition, criterion: FieldCriterion, when: When): string {
  const operator = operatorNamed(criterion.operator);
  const name = fieldAsked(list, criterion.paramName);
  if (name === undefined || !isFilterable(list, name)) {
    throw new CriterionError(
      `Unknown field '${criterion.paramName}'. Searchable fields: ${list.searchable.join(', ')}`,
    );
  }
  const { kind, label } = fieldOf(list, name);
  const wireName = list.filterName[name] ?? name;
  const wireOperator = wireOperators[operator];
  const { value, toValue } = criterion;

  if (!canFilter(kind, operator))
    throw new CriterionError(`${label} does not support '${operator.replaceAll('_', ' ')}'`);
  if (operator === 'is_null' || operator === 'is_not_null') return `${wireName} ${wireOperator}`;
  if (value === undefined || value === '') throw new CriterionError(`${label} needs a value`);
  if (isOfWords(kind)) {
    const words = (Array.isArray(value) ? value : [value]).map((one) =>
      inQuotes(patterned(operator, fold(String(one)))),
    );
    return `lower(${wireName}) ${wireOperator} ${operandOf(operator, words, label)}`;
  }
  if (kind === 'date' && typeof value === 'string')
    return relative(wireName, operator, value, label, when);
  if (kind === 'flag') {
    if (typeof value !== 'boolean') throw new CriterionError(`${label} is yes or no`);
    return `${wireName} ${wireOperator} ${value}`;
  }
  const numbers = (Array.isArray(value) ? value : [value]).map((one) => wholeNumber(one, label));
  const operand = operandOf(operator, numbers, label);
  if (operator !== 'between') return `${wireName} ${wireOperator} ${operand}`;
  const high = wholeNumber(toValue, label);
  if (Number(operand) > Number(high)) throw new CriterionError(`${label} must end after it begins`);
  return `${wireName} between ${operand} and ${high}`;
}

function operatorNamed(name: string): Operator {
  const plain = plainOperator(name);
  if (!Object.hasOwn(wireOperators, plain)) throw new CriterionError(`Operator ${name} not found`);
  return plain as Operator;
}

function operandOf(operator: Operator, written: readonly string[], label: string): string {
  if (operator === 'in' || operator === 'not_in') {
    if (written.length === 0) throw new CriterionError(`${label} needs at least one value`);
    return `(${written.join(',')})`;
  }
  const [one, ...others] = written;
  if (one === undefined || others.length > 0) throw new CriterionError(`${label} needs one value`);
  return one;
}

function patterned(operator: Operator, words: string): string {
  const escaped = words.replace(/[\\%_]/g, '\\$&');
  if (operator === 'contains' || operator === 'not_contains') return `%${escaped}%`;
  if (operator === 'start_with') return `${escaped}%`;
  if (operator === 'end_with') return `%${escaped}`;
  return words;
}

function inQuotes(words: string): string {
  return `'${words.replaceAll("'", "''")}'`;
}

function wholeNumber(value: unknown, label: string): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new CriterionError(`${label} needs a whole number`);
  return String(value);
}

/** A relative time is an interval: `equal` is within it, `less_than` before it, `greater_than_or_equal` from its beginning on. */
function relative(
  wireName: string,
  operator: Operator,
  word: string,
  label: string,
  when: When,
): string {
  if (!isRelativeTime(word))
    throw new CriterionError(`${label} needs a date or a time such as today, not '${word}'`);
  const { from, to } = intervalOf(word, when);
  if (operator === 'equal')
    return from === null ? `${wireName} <= ${to}` : `${wireName} between ${from} and ${to}`;
  if (operator === 'greater_than') return `${wireName} > ${to}`;
  if (operator === 'less_than_or_equal') return `${wireName} <= ${to}`;
  if (from !== null && operator === 'less_than') return `${wireName} < ${from}`;
  if (from !== null && operator === 'greater_than_or_equal') return `${wireName} >= ${from}`;
  throw new CriterionError(`${label} does not support '${operator.replaceAll('_', ' ')} ${word}'`);
}
