/** Text and JSON as PostgreSQL keeps them: no NUL characters, no halves of surrogate pairs, both of which vendors escape in JSON at times. */

export function plainText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();
}

export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON escapes just these two; a backslash of the text's own before a u is a false alarm and costs a second pass.
  if (!json.includes('\\u0000') && !json.includes('\\ud')) return json;
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? plainText(inner) : inner,
  );
}
