/** Searches and sorts the rows of a detail table in the browser. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field, Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { WireValue } from '@patch/contract/base/row-schema.ts';
import { isEmptyValue } from '../values/value-view.tsx';

export type TableRow = Readonly<Record<string, WireValue>>;

/** Returns the rows that contain every word, in any field. */
export function filterRows(rows: readonly TableRow[], words: string): readonly TableRow[] {
  const searched = fold(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (searched.length === 0) return rows;
  return rows.filter((row) => {
    const text = fold(Object.values(row).join('\n'));
    return searched.every((word) => text.includes(word));
  });
}

/** Compares numbers within versions and file names by value: 9 before 10. */
const compareNaturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Sorts rows without a value last.
 * @param sort - Field name, with a leading minus for descending; empty for the vendor's order.
 */
export function sortRows(
  rows: readonly TableRow[],
  fields: Fields,
  sort: string,
): readonly TableRow[] {
  const name = sort.replace(/^-/, '');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) return rows;
  const direction = sort.startsWith('-') ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [a, b] = [left[name], right[name]];
    if (isEmptyValue(a) || isEmptyValue(b))
      return Number(isEmptyValue(a)) - Number(isEmptyValue(b));
    return direction * compareValues(field, a, b);
  });
}

function compareValues(field: Field<FieldKind, unknown>, a: WireValue, b: WireValue): number {
  if (field.kind === 'choice' && field.choices !== undefined)
    return field.choices.indexOf(a) - field.choices.indexOf(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareNaturally.compare(String(a), String(b));
}
