/** Writes an array parameter in PostgreSQL's text form. The statement casts it: `$1::text[]`. */
export function arrayText(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map(elementText).join(',')}}`;
}

function elementText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}
