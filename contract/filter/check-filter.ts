/** Holds parsed conditions against a list: its searchable fields, their operators, the types of their values. What passes can be asked as it is. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  fieldAsked,
  fieldOf,
  isFilterable,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { type Condition, FilterError, type Scalar } from './filter-conditions.ts';
import { shortened } from './filter-tokens.ts';
import { isOfWords, type WireOperator, wireOperatorsOfKind } from './wire-operators.ts';

/**
 * A condition that the list can answer. Its strings are folded, its values are of the field's type: strings for fields of
 * words, whole safe numbers for numbers, sizes and dates, booleans for flags.
 */
export type CheckedCondition = Condition & {
  /** The field's own name in the list, or `id`. */
  readonly name: string;
  readonly definition: Field<FieldKind, unknown>;
};

/** Throws FilterError. */
export function checkFilter(
  list: ListDefinition,
  conditions: readonly Condition[],
): readonly CheckedCondition[] {
  return conditions.map((condition) => check(list, condition));
}

function check(list: ListDefinition, condition: Condition): CheckedCondition {
  const { field: asked, at, operatorAt } = condition;
  const name = fieldAsked(list, asked);
  if (name === undefined || !isFilterable(list, name)) {
    const names = list.searchable.map((searchable) => list.filterName[searchable] ?? searchable);
    throw new FilterError(
      'unknown_field',
      `Unknown field '${shortened(asked)}' at ${at}. Searchable fields: ${names.join(', ')}`,
      at,
    );
  }
  const definition = fieldOf(list, name);
  const { kind } = definition;
  const operators = wireOperatorsOfKind(kind);
  const operator = operatorOf(condition);
  if (!operators.includes(operator)) {
    const message = `${asked} does not support '${operator}' at ${operatorAt}. Its operators: ${operators.join(', ')}`;
    throw new FilterError('unknown_operator', message, operatorAt);
  }
  if (condition.lowered && !isOfWords(kind)) {
    throw new FilterError(
      'wrong_type',
      `lower() is for words; ${asked} at ${at} holds ${typeOf(kind).plural}.`,
      at,
    );
  }
  for (const [place, value] of valuesOf(condition).entries()) {
    const type = typeOf(kind);
    const valueAt = condition.valuesAt[place] ?? operatorAt;
    if (!type.holds(value))
      throw new FilterError('wrong_type', `${asked} needs ${type.one} at ${valueAt}.`, valueAt);
  }
  if (condition.is === 'between' && condition.low > condition.high) {
    const message = `The range of ${asked} at ${operatorAt} is empty: ${condition.low} is above ${condition.high}.`;
    throw new FilterError('empty_range', message, operatorAt);
  }
  return { ...folded(condition), name, definition };
}

function operatorOf(condition: Condition): WireOperator {
  switch (condition.is) {
    case 'compared':
      return condition.comparison;
    case 'oneOf':
      return condition.negated ? 'not in' : 'in';
    case 'like':
      return condition.negated ? 'not like' : 'like';
    case 'between':
      return 'between';
    case 'null':
      return condition.negated ? 'is not null' : 'is null';
  }
}

function valuesOf(condition: Condition): readonly Scalar[] {
  switch (condition.is) {
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

function folded(condition: Condition): Condition {
  if (condition.is === 'compared') return { ...condition, value: foldedValue(condition.value) };
  if (condition.is === 'oneOf') return { ...condition, values: condition.values.map(foldedValue) };
  if (condition.is === 'like') return { ...condition, pattern: fold(condition.pattern) };
  return condition;
}

interface WireType {
  readonly one: string;
  readonly plural: string;
  readonly holds: (value: Scalar) => boolean;
}

const words: WireType = {
  one: 'words in quotes',
  plural: 'words',
  holds: (value) => typeof value === 'string',
};
const wholeNumbers: WireType = {
  one: 'a whole number',
  plural: 'numbers',
  holds: (value) => Number.isSafeInteger(value),
};
const dates: WireType = {
  ...wholeNumbers,
  one: 'epoch milliseconds, a whole number',
  plural: 'dates',
};
const flags: WireType = {
  one: 'true or false',
  plural: 'true or false',
  holds: (value) => typeof value === 'boolean',
};

function typeOf(kind: FieldKind): WireType {
  if (kind === 'date') return dates;
  if (kind === 'flag') return flags;
  return isOfWords(kind) ? words : wholeNumbers;
}
