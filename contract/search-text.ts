/** The text that searches accept: keywords, filters, names. */
import { z } from 'zod';

/** Tabs and line breaks separate words. */
export const SearchText = z
  .string()
  .refine(
    (text) => !/[^\P{Cc}\t\n\r]/u.test(text),
    'must not contain control characters such as U+0000; any other text is allowed',
  );
