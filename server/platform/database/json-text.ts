/** Removes characters that PostgreSQL cannot store: NUL, and halves of surrogate pairs, which some vendors escape in JSON. */

export function plainText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();
}

export function jsonText(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON escapes exactly these two. A text with its own backslash before a u only causes a needless second pass.
  if (!json.includes('\\u0000') && !json.includes('\\ud')) return json;
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? plainText(inner) : inner,
  );
}
