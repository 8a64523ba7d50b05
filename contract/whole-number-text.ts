/** Numbers as an address holds them: in a path, in a query. */
import { z } from 'zod';

const maxDigits = 15;

/** Every whole number of so many digits can be held exactly. */
export const wholeNumberText = z
  .string()
  .regex(
    new RegExp(String.raw`^\d{1,${maxDigits}}$`),
    `must be a whole number of at most ${maxDigits} digits`,
  )
  .transform(Number);
