/** Describes a criterion in words: 'Severity is one of Critical, Important'. */
import { isRelativeTime } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { dayDate, exactDate } from './day-date.ts';
import { fileSize } from './file-size.ts';
import { operatorLabel } from './operator-label.ts';
import { decimalText } from './share-text.ts';
import { type AnyField, labelFor } from './value-view.tsx';

/** 'last_24_hours' -> 'Last 24 hours', 'last_1_hours' -> 'Last 1 hour'. */
export function relativeTimeText(word: string): string {
  const words = word.replaceAll('_', ' ').replace(/^(last 1) (hour|day)s$/, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Scalar = string | number | boolean;

function toValueText(field: AnyField, value: Scalar, zone: string): string {
  const { kind, precision, share } = field;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string')
    return kind === 'date' && isRelativeTime(value)
      ? relativeTimeText(value)
      : labelFor(field, value);
  if (kind === 'date') return precision === 'day' ? dayDate(value, 'UTC') : exactDate(value, zone);
  return kind === 'size' ? fileSize(value) : decimalText(value, share);
}

interface CriterionWords {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export function criterionText(
  field: AnyField,
  criterion: FieldCriterion,
  zone: string,
): CriterionWords {
  const { operator, value, toValue } = criterion;
  if (field.badge === 'muted' && operator === 'not_equal' && value === true)
    return { label: field.label, operator: 'is', value: 'hidden' };
  const values =
    value === undefined ? [] : ((Array.isArray(value) ? value : [value]) as readonly Scalar[]);
  const words = values.map((scalar) => toValueText(field, scalar, zone)).join(', ');
  const upTo = toValue === undefined ? '' : ` and ${toValueText(field, toValue, zone)}`;
  return { label: field.label, operator: operatorLabel(field.kind, operator), value: words + upTo };
}
