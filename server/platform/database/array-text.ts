/**
 * Writes array parameters, which the statement casts: `$1::text[]`. PostgreSQL's text form is simple; for long texts its binary form takes
 * a tenth of the time, since nothing is escaped.
 */

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

/**
 * Writes array parameters in PostgreSQL's binary form. The statement casts them: `$1::text[]`. For long texts this takes a tenth of
 * the time of `arrayText`, which escapes them.
 */

const textType = 25;
const jsonType = 114;
const headerBytes = 20;
const lengthBytes = 4;

/** Writes a `text[]`. */
export const textArray = (values: readonly (string | null)[]): Uint8Array =>
  binaryArray(textType, values);

/** Writes a `json[]` from JSON texts. */
export const jsonArray = (values: readonly (string | null)[]): Uint8Array =>
  binaryArray(jsonType, values);

function binaryArray(type: number, values: readonly (string | null)[]): Uint8Array {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const contentBytes = lengths.reduce((sum, length) => sum + lengthBytes + Math.max(0, length), 0);
  // It is allocated outside the pool: transferring a slice to another thread would transfer the pool.
  const array = Buffer.allocUnsafeSlow(headerBytes + contentBytes);
  const header = [values.length === 0 ? 0 : 1, values.includes(null) ? 1 : 0, type];
  for (const [index, field] of header.entries()) array.writeInt32BE(field, index * 4);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = headerBytes;
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(lengths[index] ?? -1, at);
    if (value !== null) at += array.write(value, at);
  }
  return values.length === 0 ? array.subarray(0, 12) : array;
}
