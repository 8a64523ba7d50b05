/** Forms of values in vendors' loosely written JSON. */
import { z } from 'zod';
import { toWord } from './vendor-words.ts';

/** Numbers are accepted as text; a missing value equals null. */
export const word = z
  .union([z.string(), z.number()], { error: 'expected a word' })
  .nullish()
  .transform(toWord);

export const requiredText = z
  .string()
  .transform(toWord)
  .pipe(z.string({ error: 'it is missing' }));

/** Text as written, including line breaks. */
export const prose = z
  .string()
  .nullish()
  .transform((text) => text || null);

/** A missing list is empty. */
export function optionalList<Element extends z.ZodType>(element: Element) {
  return z
    .array(element)
    .nullish()
    .transform((elements) => elements ?? []);
}
