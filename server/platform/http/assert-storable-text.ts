/**
 * Refuses a request with text that the database cannot store: a NUL character, or half of a surrogate pair.
 * @throws AppError `invalid_input`
 */
import { AppError } from '../errors/app-error.ts';

export function assertStorableText(given: unknown): void {
  // Without recursion, since JSON may be nested deeper than the stack.
  const left: { readonly value: unknown; readonly place: string }[] = [{ value: given, place: '' }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, place } = next;
    if (typeof value === 'string') refuse(value, place);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        refuse(name, place);
        left.push({ value: inner, place: place === '' ? name : `${place}.${name}` });
      }
  }
}

function refuse(text: string, place: string): void {
  const found = text.includes('\0')
    ? 'the character U+0000'
    : text.isWellFormed()
      ? null
      : 'half of a surrogate pair';
  if (found === null) return;
  throw new AppError(
    'invalid_input',
    `${place === '' ? 'The request' : place} contains ${found}, which the database cannot store. Any other text is allowed.`,
  );
}
