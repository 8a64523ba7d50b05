/** Parses integers in addresses: in paths and queries. */
import { z } from 'zod';

const maxDigits = 15;

/** Every integer with so many digits is exact. */
export const integerText = z
  .string()
  .regex(
    new RegExp(String.raw`^\d{1,${maxDigits}}$`),
    `must be a whole number of at most ${maxDigits} digits`,
  )
  .transform(Number);
