/** Schemas that several calls share. */
import { z } from 'zod';
import { isPlainText, plainTextRule } from './plain-text.ts';

const maxDigits = 15;

/** Parses integers in addresses: in paths and queries. Every integer with so many digits is exact. */
export const integerText = z
  .string()
  .regex(
    new RegExp(String.raw`^\d{1,${maxDigits}}$`),
    `must be a whole number of at most ${maxDigits} digits`,
  )
  .transform(Number);

/** The number of a record, a user or another object in a path. */
export const IdParams = z.object({ id: integerText });

/** A ticket for a file in a path; it grants access by itself. */
export const TicketParams = z.object({
  ticket: z.string().regex(/^[\w-]{43}$/, 'is not a ticket'),
});

export const PageQuery = z.strictObject({
  offset: integerText.default(0),
  size: integerText.pipe(z.number().min(1).max(1000)).default(1000),
});

export const Message = z.object({ message: z.string() });

/** A time that a Date can represent. */
export const instant = z
  .number()
  .int()
  .min(0)
  .max(8_640_000_000_000_000)
  .describe('Epoch milliseconds');

/** A required line that people read. */
export const plainLine = (most: number, tooLong?: string) =>
  z.string().trim().min(1, 'is required').max(most, tooLong).refine(isPlainText, plainTextRule);

/** The text that searches accept: keywords, filters, names. Tabs and line breaks separate words. */
export const SearchText = z
  .string()
  .refine(
    (text) => !/[^\P{Cc}\t\n\r]/u.test(text),
    'must not contain control characters such as U+0000; any other text is allowed',
  );
