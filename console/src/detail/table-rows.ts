/** Searching and sorting the rows of a detail table in the browser. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field, Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { WireValue } from '@patch/contract/row-schema.ts';
import { isEmptyValue } from '../values/value-view.tsx';

export type TableRow = Readonly<Record<string, WireValue>>;

/** The rows in which every word occurs, in whichever fields. */
export function rowsMatching(rows: readonly TableRow[], words: string): readonly TableRow[] {
  const asked = fold(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (asked.length === 0) return rows;
  return rows.filter((row) => {
    const text = fold(Object.values(row).join('\n'));
    return asked.every((word) => text.includes(word));
  });
}

/** Versions and file names hold numbers, which people read as numbers: 9 before 10. */
const compareNaturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** `sort` is a field's name, with a leading minus for descending; empty leaves the vendor's order. Rows without a value come last. */
export function rowsSorted(
  rows: readonly TableRow[],
  fields: Fields,
  sort: string,
): readonly TableRow[] {
  const name = sort.replace(/^-/, '');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) return rows;
  const direction = sort.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[name], other[name]];
    if (isEmptyValue(a) || isEmptyValue(b))
      return Number(isEmptyValue(a)) - Number(isEmptyValue(b));
    return direction * compared(field, a, b);
  });
}

function compared(field: Field<FieldKind, unknown>, a: WireValue, b: WireValue): number {
  if (field.kind === 'choice' && field.choices !== undefined)
    return field.choices.indexOf(a) - field.choices.indexOf(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareNaturally.compare(String(a), String(b));
}
