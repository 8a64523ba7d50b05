/**
 * The database accepts every text but two kinds: one with a NUL, and one with half of a surrogate pair. A request with either is
 * refused before anything is done.
 */
import { AppError } from '../errors/app-error.ts';

export function assertStorableText(given: unknown): void {
  // Not by recursion: JSON may be nested deeper than the stack is.
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
    `${place === '' ? 'What was sent' : place} holds ${found}, which the database does not accept. Any other text is allowed.`,
  );
}
