/** Drafts of criteria: defaults, validation messages, conversion to criteria. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { operatorsOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { listRelativeTimes } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { isOfWords } from '@patch/contract/filter/wire-operators.ts';
import { minDate } from '@patch/contract/form-rules/number-rules.ts';
import type { AnyField } from './value-view.tsx';
import { dayFormat, timeFormat, writeInstant } from './zoned-picker-time.ts';

/** State of the criterion picker. */
export interface Draft {
  readonly operator: Operator;
  readonly value: FieldCriterion['value'] | undefined;
  readonly toValue: number | undefined;
}

export interface InputProps {
  readonly field: AnyField;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
}

export const needsValue = (operator: Operator): boolean =>
  operator !== 'is_null' && operator !== 'is_not_null';
export const takesSeveral = (operator: Operator): boolean =>
  operator === 'in' || operator === 'not_in';

/** Begins with the first operator. A flag begins as false, a date with the first relative time (overdue for due dates). */
export function newDraft(field: AnyField): Draft {
  const [operator] = operatorsOfKind[field.kind];
  const empty: Draft = { operator, value: undefined, toValue: undefined };
  if (field.kind === 'flag') return { ...empty, value: false };
  if (field.kind !== 'date') return empty;
  return {
    ...empty,
    operator: 'equal',
    value: listRelativeTimes({ dueBy: field.dueBy ?? false })[0],
  };
}

/**
 * Returns what is missing or wrong, or undefined.
 * @param zone - The reader's time zone, in which messages write dates.
 */
export function draftProblem(
  field: AnyField,
  { operator, value, toValue }: Draft,
  zone: string,
): string | undefined {
  if (!needsValue(operator)) return undefined;
  if (field.kind === 'flag') return undefined;
  const several = Array.isArray(value);
  if (value === undefined || value === '' || (several && value.length === 0)) {
    return takesSeveral(operator)
      ? `${field.label} needs at least one value`
      : `${field.label} is required`;
  }
  if (several !== takesSeveral(operator)) return `${field.label} is required`;
  if (operator !== 'between') return undefined;
  if (toValue === undefined) return `${field.label} is required`;
  // Equal dates are a valid range.
  if (field.kind === 'date') {
    const format = field.precision === 'day' ? dayFormat : timeFormat;
    const write = writeInstant(dateZone(field, zone), format);
    return toValue < Number(value)
      ? (minDate(Number(value), write)(toValue, field.label) ?? undefined)
      : undefined;
  }
  const minimum = field.kind === 'decimal' ? Number(value) : Number(value) + 1;
  return toValue < minimum ? `The upper number must be at least ${minimum}` : undefined;
}

/** Changes the operator and keeps the part of the value that fits it. Dates are cleared. */
export function withOperator(field: AnyField, draft: Draft, operator: Operator): Draft {
  if (operator === draft.operator) return draft;
  const cleared: Draft = { operator, value: undefined, toValue: undefined };
  if (!needsValue(operator) || field.kind === 'date') return cleared;
  if (field.kind === 'flag') return { ...cleared, value: draft.value ?? false };
  const first = (Array.isArray(draft.value) ? draft.value[0] : draft.value) as
    | string
    | number
    | undefined;
  if (first === undefined || first === '') return cleared;
  if (takesSeveral(operator))
    return { ...cleared, value: Array.isArray(draft.value) ? draft.value : [first] };
  return { ...cleared, value: isOfWords(field.kind) ? String(first) : Number(first) };
}

export function toCriterion(
  paramName: string,
  { kind, precision }: Pick<AnyField, 'kind' | 'precision'>,
  { operator, value, toValue }: Draft,
): FieldCriterion {
  if (!needsValue(operator)) return { paramName, operator };
  // A vendor may state a time within the day.
  if (precision === 'day' && operator === 'equal' && typeof value === 'number')
    return { paramName, operator: 'between', value, toValue: value + 86_400_000 - 1 };
  const definedValue = value ?? (kind === 'flag' ? false : '');
  return operator === 'between' && toValue !== undefined
    ? { paramName, operator, value: definedValue, toValue }
    : { paramName, operator, value: definedValue };
}
