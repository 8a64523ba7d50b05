/** Schemas of calls without input: parameters are refused, and a body is ignored. */
import { z } from 'zod';

export const noParams = z.object({});
export const noQuery = z.strictObject({});
/** Accepts an absent or empty body. */
export const noBody = z.strictObject({}).nullish();
