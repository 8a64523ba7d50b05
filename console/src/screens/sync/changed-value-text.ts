/** Formats a field's value on one line, to show it before and after a change. */
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { timeZone } from '../../api/session.ts';
import { dayDate, exactDate } from '../../values/day-date.ts';

const maxLength = 160;

export function formatChangedValue(
  value: unknown,
  field: Pick<Field, 'kind' | 'precision'> | undefined,
): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (field?.kind === 'date' && typeof value === 'number')
    return field.precision === 'day' ? dayDate(value, 'UTC') : exactDate(value, timeZone());
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = Array.isArray(value)
    ? value.every((item) => typeof item === 'string')
      ? value.join(', ')
      : `${value.length} rows`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
