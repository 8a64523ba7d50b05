/**
 * Refuses a request with text that the database cannot store: a NUL character, or half of a surrogate pair.
 * @throws AppError `invalid_input`
 */
import { AppError } from '../errors/app-error.ts';

export function assertStorableText(input: unknown): void {
  // Without recursion, since JSON may be nested deeper than the stack.
  const pending: { readonly value: unknown; readonly path: string }[] = [
    { value: input, path: '' },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') refuse(value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        refuse(name, path);
        pending.push({ value: inner, path: path === '' ? name : `${path}.${name}` });
      }
  }
}

function refuse(text: string, path: string): void {
  const found = text.includes('\0')
    ? 'the character U+0000'
    : text.isWellFormed()
      ? null
      : 'half of a surrogate pair';
  if (found === null) return;
  throw new AppError(
    'invalid_input',
    `${path === '' ? 'The request' : path} contains ${found}, which the database cannot store. Any other text is allowed.`,
  );
}
