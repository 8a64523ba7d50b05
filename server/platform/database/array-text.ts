/** Writes an array parameter in PostgreSQL's text form. The statement casts it: `$1::text[]`. */
export function arrayText(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

/** Writes an array parameter for each of these properties of the rows, for `unnest`. */
export const arrayTexts = <Name extends string>(
  rows: readonly Readonly<Record<Name, string | number | boolean | null>>[],
  ...names: readonly Name[]
): string[] => names.map((name) => arrayText(rows.map((row) => row[name])));

function elementText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
