/** A field's value in one line, for saying what it was and what it is. */
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { timeZone } from '../../api/session.ts';
import { dayDate, exactDate } from '../../values/day-date.ts';

const longest = 160;

export function changedValueText(
  value: unknown,
  field: Pick<Field, 'kind' | 'precision'> | undefined,
): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (field?.kind === 'date' && typeof value === 'number')
    return field.precision === 'day' ? dayDate(value, 'UTC') : exactDate(value, timeZone());
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const words = Array.isArray(value)
    ? value.every((each) => typeof each === 'string')
      ? value.join(', ')
      : `${value.length} rows`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}
