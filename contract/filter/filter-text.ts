/** Writes the filter of a search call. Only this file writes the filter language. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { When } from '../dates/relative-date.ts';
import { criteriaConditions } from './criteria-conditions.ts';
import type { Criterion } from './criterion.ts';
import type { Condition, Scalar } from './filter-conditions.ts';
import { isOfWords, operatorOfTest } from './wire-operators.ts';

/** Joins conditions by `and`; empty for a mere keyword. Throws CriterionError. */
export function filterText(
  list: ListDefinition,
  criteria: readonly Criterion[],
  when: When,
): string {
  return writeFilter(list, criteriaConditions(list, criteria, when));
}

/** Writes conditions that `parseFilter` and `checkFilter` read back unchanged. */
export function writeFilter(list: ListDefinition, conditions: readonly Condition[]): string {
  return conditions.map((condition) => writeCondition(list, condition)).join(' and ');
}

function writeCondition(list: ListDefinition, condition: Condition): string {
  const { name, definition } = condition;
  const wireName = list.filterName[name] ?? name;
  const operator = operatorOfTest(condition);
  if (condition.kind === 'null') return `${wireName} ${operator}`;
  const field = isOfWords(definition.kind) ? `lower(${wireName})` : wireName;
  return `${field} ${operator} ${writeOperand(condition)}`;
}

function writeOperand(condition: Exclude<Condition, { kind: 'null' }>): string {
  switch (condition.kind) {
    case 'compared':
      return writeValue(condition.value);
    case 'oneOf':
      return `(${condition.values.map(writeValue).join(',')})`;
    case 'like':
      return writeValue(condition.pattern);
    case 'between':
      return `${writeValue(condition.low)} and ${writeValue(condition.high)}`;
  }
}

function writeValue(value: Scalar): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
