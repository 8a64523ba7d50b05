/** What a call takes that takes nothing: anything given is refused or, for a body, ignored. */
import { z } from 'zod';

export const noParams = z.object({});
export const noQuery = z.strictObject({});
/** An absent or an empty body. */
export const noBody = z.strictObject({}).nullish();
