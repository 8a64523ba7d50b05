/** The search parameters of the screen of exceptions. */
import { exceptionKinds } from '@patch/contract/fleet/exception-kinds.ts';
import { z } from 'zod';

export const exceptionsSearchSchema = z.object({
  kind: z.enum(exceptionKinds).optional().catch(undefined),
  /** Days in which they end. */
  endsWithin: z.coerce.number().int().min(0).max(366).optional().catch(undefined),
  /** Days in which they ended. */
  endedWithin: z.coerce.number().int().min(0).max(366).optional().catch(undefined),
  /** `me`, the number of a user, an email address, or `none`. */
  owner: z.coerce.string().min(1).max(320).optional().catch(undefined),
  /** The name or #number of a group of machines. */
  group: z.coerce.string().min(1).max(100).optional().catch(undefined),
});
export type ExceptionsSearch = z.infer<typeof exceptionsSearchSchema>;
